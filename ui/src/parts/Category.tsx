import { categoryWord } from "../model/words";
import css from "./Category.module.css";

// The component Category shows a category by a colour and a word.
export function Category({ name }: { name: string }) {
  return (
    <span className={css.category} data-category={name}>
      {categoryWord(name)}
    </span>
  );
}
