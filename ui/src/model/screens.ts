// The screens, in the order of the navigation.
export const screens = [
  { to: "/", name: "Overview" },
  { to: "/guidelines", name: "Guidelines" },
  { to: "/playground", name: "Playground" },
  { to: "/audit", name: "Audit" },
  { to: "/replay", name: "Replay" },
  { to: "/sessions", name: "Sessions" },
  { to: "/safety", name: "Safety" },
  { to: "/packs", name: "Packs" },
  { to: "/exchange", name: "Import and export" },
  { to: "/settings", name: "Settings" },
] as const;
