// The guideline and the version that were saved last. Saving can change the editor's address, and the editor still has
// to say that the guideline was saved.
import { create } from "zustand";

export const useSaved = create<{ id: string; version: number }>(() => ({ id: "", version: 0 }));
