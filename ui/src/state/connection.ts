// This state says whether the server answers. The banner at the top shows the state.
import { create } from "zustand";

export const useConnection = create<{ lost: boolean }>(() => ({ lost: false }));

export function reached() {
  if (useConnection.getState().lost) useConnection.setState({ lost: false });
}

export function unreachable() {
  useConnection.setState({ lost: true });
}
