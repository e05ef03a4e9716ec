import { Link } from "@tanstack/react-router";
import { Page } from "../parts/Page";
import { Empty } from "../parts/States";

export function Missing() {
  return (
    <Page title="Not found">
      <Empty title="There is no page at this address.">
        <Link to="/">Go to the overview</Link>
      </Empty>
    </Page>
  );
}
