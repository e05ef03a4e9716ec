// An entry of the palette. The function "matching" finds entries by words of their names and descriptions, in any
// order.
export interface Offer {
  id: string;
  name: string;
  about?: string;
  run: () => void;
}

export function matching(offers: Offer[], typed: string): Offer[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return offers.filter((offer) => {
    const text = `${offer.name} ${offer.about ?? ""}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
