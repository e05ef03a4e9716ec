import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

// compressed writes NAME.gz beside each text file. The server sends it to browsers that accept gzip.
function compressed(): Plugin {
  let out = "";
  return {
    name: "compressed",
    apply: "build",
    configResolved(config) {
      out = resolve(config.root, config.build.outDir);
    },
    closeBundle() {
      for (const file of readdirSync(out, { recursive: true, encoding: "utf8" })) {
        if (!/\.(js|css|svg|html)$/.test(file)) continue;
        writeFileSync(join(out, file + ".gz"), gzipSync(readFileSync(join(out, file)), { level: 9 }));
      }
    },
  };
}

// The build must be the same on every machine: file names come from the content, and nothing has a date.
export default defineConfig({
  base: "/ui/",
  plugins: [react(), compressed()],
  build: {
    outDir: "../server/web/dist",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // the content security policy permits no styles and scripts in the page itself
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  test: { include: ["src/**/*.test.ts"] },
});
