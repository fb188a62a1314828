import highlighting from "./highlight.css" with { type: "text" };
import base from "./styles.css" with { type: "text" };

/** The look of turns and of what a page of them needs: colours for light and dark, type, code. No address is in it. */
export const styles = `${base}${highlighting}`;
