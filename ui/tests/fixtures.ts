// Every test has its own server and a page that is signed in. A console error or a violation of the content security
// policy fails the test.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import { test as base, expect } from "@playwright/test";
import type { Locator, Page } from "@playwright/test";
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
    // The server ends after this fixture, and a route may still be waiting for the server's answer.
    if (!page.isClosed()) await page.unrouteAll({ behavior: "ignoreErrors" });
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

// signInAs signs in with a new token of a role.
export async function signInAs(page: Page, server: Server, role: string) {
  const made = JSON.parse(server.run("token", "create", `a-${role}`, "--role", role, "-o", "json")) as { token: string };
  await page.goto(`${server.url}/ui/`);
  await page.getByLabel("Or sign in with a token").fill(made.token);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText(`a-${role} · ${role}`)).toBeVisible();
}

// downloaded() calls act(), which must download a file, and returns the text of the file.
export async function downloaded(page: Page, act: () => Promise<unknown>): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent("download"), act()]);
  return Buffer.concat((await (await file.createReadStream()).toArray()) as Buffer[]).toString();
}

// copied() returns what is on the clipboard after a button was pressed.
export async function copied(page: Page, button: string): Promise<string> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate(() => navigator.clipboard.writeText(""));
  await page.getByRole("button", { name: button, exact: true }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).not.toBe("");
  return page.evaluate(() => navigator.clipboard.readText());
}

// The function "drop" drops a file on an element, as if a person had dragged it from a folder.
export async function drop(target: Locator, name: string, text: string) {
  const data = await target.page().evaluateHandle(
    ([file, content]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], file));
      return transfer;
    },
    [name, text] as const,
  );
  await target.dispatchEvent("drop", { dataTransfer: data });
}

// compareWith chooses in the playground with what a call is compared.
export async function compareWith(page: Page, name: string) {
  await page.getByRole("combobox", { name: "Compare with" }).fill(name);
  await page.getByRole("option", { name: new RegExp(`^${name}`) }).click();
}

// checkScreen runs axe, and takes the pictures for the documents if the run asks for them.
export async function checkScreen(page: Page, name: string) {
  await checkState(page, name, (scheme) => picture(page, `${name}-${scheme}`));
}

// checkState runs axe three times: in the light scheme, in the dark scheme with only the rule for contrast, and at a
// width of 320 px with all other rules.
export async function checkState(page: Page, name: string, seen: (scheme: string) => Promise<void> = async () => undefined) {
  const size = page.viewportSize() ?? { width: 1280, height: 800 };
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    await accessible(page, `${name}, ${scheme}`, scheme === "light" ? () => undefined : (axe) => axe.withRules(["color-contrast"]));
    await seen(scheme);
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
  const axe = new AxeBuilder({ page }).setLegacyMode(true) // no page has frames
    .options({ resultTypes: ["violations"] }).withTags(tags);
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
