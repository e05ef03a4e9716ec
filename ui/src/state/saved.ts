// What was saved last, so that the editor can say so after its address changed.
import { create } from "zustand";

export const useSaved = create<{ id: string; version: number }>(() => ({ id: "", version: 0 }));
