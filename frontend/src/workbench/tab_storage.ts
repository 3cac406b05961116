/* What a tab keeps for itself. A browser may forbid it by throwing. */
export function tabStorage(): Storage | null {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}
