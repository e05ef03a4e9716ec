// The colour scheme that the reader chose: light, dark, or the scheme of the system.
import { create } from "zustand";

export type Theme = "system" | "light" | "dark";
const key = "guardrails.theme";

function saved(): Theme {
  const value = localStorage.getItem(key);
  return value === "light" || value === "dark" ? value : "system";
}

function apply(theme: Theme) {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export const useTheme = create<{ theme: Theme; choose: (theme: Theme) => void }>((set) => ({
  theme: saved(),
  choose: (theme) => {
    localStorage.setItem(key, theme);
    apply(theme);
    set({ theme });
  },
}));

apply(saved());
