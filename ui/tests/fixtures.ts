// Every test has its own server and a page that is signed in. A console error or a violation of the content security
// policy fails the test.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import { test as base, expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { Server } from "./server";

interface Fixtures {
  server: Server;
  watched: Watched;
  ui: Page; // signed in
}

export interface Watched {
  faults: string[];
  expected: RegExp[]; // faults that this test causes on purpose
}

export const test = base.extend<Fixtures>({
  server: async ({}, use) => {
    const server = new Server();
    await server.start();
    await use(server);
    await server.end();
  },
  watched: async ({ page }, use) => {
    const watched: Watched = { faults: [], expected: [] };
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") watched.faults.push(`${message.text()} ${message.location().url}`);
    });
    page.on("pageerror", (error) => watched.faults.push(String(error)));
    await page.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (e) => console.error(`violates the policy: ${e.violatedDirective} ${e.blockedURI}`));
    });
    await use(watched);
    expect(watched.faults.filter((fault) => !watched.expected.some((e) => e.test(fault)))).toEqual([]);
  },
  ui: async ({ page, server, watched: _ }, use) => {
    await page.goto(server.signInAddress());
    await expect(page.getByRole("navigation", { name: "Screens" })).toBeVisible();
    await use(page);
  },
});

export { expect };

export async function open(page: Page, name: string) {
  await page.getByRole("navigation", { name: "Screens" }).getByRole("link", { name }).click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
}

// compareWith chooses in the playground what a call is compared with.
export async function compareWith(page: Page, name: string) {
  await page.getByRole("combobox", { name: "Compare with" }).fill(name);
  await page.getByRole("option", { name: new RegExp(`^${name}`) }).click();
}

// checkScreen runs axe in light, in dark (the colors) and at 320 px (all but the colors), and takes the pictures of the
// documents if they are wanted.
export async function checkScreen(page: Page, name: string) {
  const size = page.viewportSize() ?? { width: 1280, height: 800 };
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    await accessible(page, `${name}, ${scheme}`, scheme === "light" ? () => undefined : (axe) => axe.withRules(["color-contrast"]));
    await picture(page, `${name}-${scheme}`);
  }
  await page.setViewportSize({ width: 320, height: 800 });
  await accessible(page, `${name}, 320 px`, (axe) => axe.disableRules(["color-contrast"]));
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width, `${name} must not scroll sideways at 320 px`).toBeLessThanOrEqual(320);
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
}

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

async function accessible(page: Page, what: string, choose: (axe: AxeBuilder) => void) {
  const axe = new AxeBuilder({ page }).withTags(tags);
  choose(axe);
  const found = await axe.analyze();
  const list = found.violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(" ")).join("; ")} ${v.nodes[0]?.failureSummary ?? ""}`);
  expect(list, `axe on ${what}`).toEqual([]);
}

async function picture(page: Page, name: string) {
  const folder = process.env.UI_PICTURES;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
