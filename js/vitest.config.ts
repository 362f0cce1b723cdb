import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts", "test/**/*.test.tsx"],
    environment: "jsdom",
    restoreMocks: true,
    setupFiles: ["test/setup.ts"],
  },
});
