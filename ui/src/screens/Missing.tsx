import { Link } from "@tanstack/react-router";
import { Page } from "../parts/Page";
import { Empty } from "../parts/States";

export function Missing() {
  return (
    <Page title="Not found">
      <Empty title="There is no page at this address.">
        <Link to="/guidelines" search={{ sort: "priority" }}>Go to the guidelines</Link>
      </Empty>
    </Page>
  );
}
