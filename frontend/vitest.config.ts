import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { environment: "happy-dom", isolate: false, testTimeout: 20_000, include: ["src/**/*.test.{ts,tsx}"] },
});
