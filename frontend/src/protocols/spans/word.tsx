/* A word of a marked text with its strokes; drawn again only when something of it changed. */

import { Component } from "preact";

import type { DrawnUnit, Hole, Piece, Stroke } from "./pieces";

interface WordProps {
  readonly unit: DrawnUnit;
  readonly id: string;
  readonly isTabStop: boolean;
  readonly isFirst: boolean;
  readonly isSelected: boolean;
  readonly description: string | undefined;
}

export class Word extends Component<WordProps> {
  override shouldComponentUpdate(next: WordProps): boolean {
    const old = this.props;
    return (
      old.id !== next.id ||
      old.isTabStop !== next.isTabStop ||
      old.isFirst !== next.isFirst ||
      old.isSelected !== next.isSelected ||
      old.description !== next.description ||
      !looksSame(old.unit, next.unit)
    );
  }

  override render({ unit, id, isTabStop, isFirst, isSelected, description }: WordProps) {
    const worst = unit.worst < 0 ? undefined : unit.worst;
    const isDrawnSelected = unit.pieces.length === 1 && unit.pieces[0]?.isSelected;
    if (unit.isSpace)
      return (
        <>
          <Holes holes={unit.before} />
          <span class="tk sp" data-at={unit.start} data-w={worst} data-on={isDrawnSelected ? "" : undefined}>
            <Pieces pieces={unit.pieces} />
          </span>
        </>
      );
    return (
      <>
        <Holes holes={unit.before} />
        <span
          class="tk"
          role="option"
          id={id}
          tabIndex={isTabStop ? 0 : -1}
          aria-selected={isSelected}
          aria-description={description}
          data-at={unit.start}
          data-w={unit.pieces.length === 1 ? worst : undefined}
          data-on={isDrawnSelected ? "" : undefined}
          data-first={isFirst ? "" : undefined}
        >
          <Pieces pieces={unit.pieces} />
        </span>
      </>
    );
  }
}

/** Only a word that a span cuts is in several pieces: letters that join stay joined. */
export function Pieces({ pieces }: { pieces: readonly Piece[] }) {
  const [only, ...others] = pieces;
  if (only && others.length === 0)
    return (
      <>
        {only.text}
        <Strokes strokes={only.strokes} />
      </>
    );
  return (
    <>
      {pieces.map((piece) => (
        <span key={piece.start} class="pc" data-w={worstOf(piece)} data-on={piece.isSelected ? "" : undefined}>
          {piece.text}
          <Strokes strokes={piece.strokes} />
        </span>
      ))}
    </>
  );
}

function worstOf({ strokes }: Piece): number | undefined {
  return strokes.length ? Math.max(...strokes.map(({ rank }) => rank)) : undefined;
}

function Strokes({ strokes }: { strokes: readonly Stroke[] }) {
  return (
    <>
      {strokes.map(({ number, rank, lane, isFirst }) => (
        <i key={number} class="u" aria-hidden="true" data-s={rank} style={{ "--lane": lane }}>
          {isFirst && <b>{number}</b>}
        </i>
      ))}
    </>
  );
}

/** Something missing: no part of the text, and shown as none. */
export function Holes({ holes }: { holes: readonly Hole[] }) {
  return (
    <>
      {holes.map(({ number, rank }) => (
        <span key={number} class="miss" aria-hidden="true" data-s={rank}>
          ‸{number}
        </span>
      ))}
    </>
  );
}

function looksSame(one: DrawnUnit, other: DrawnUnit): boolean {
  if (one === other) return true;
  if (one.text !== other.text || one.start !== other.start) return false;
  return JSON.stringify([one.pieces, one.before]) === JSON.stringify([other.pieces, other.before]);
}
