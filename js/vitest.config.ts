import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts", "test/**/*.test.tsx"],
    environment: "jsdom",
    restoreMocks: true,
    setupFiles: ["test/setup.ts"],
    // A bound for what hangs, on a busy machine too; nothing here waits for a clock.
    testTimeout: 60_000,
  },
});
