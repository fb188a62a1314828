import { styles } from "../pages/styles.ts";
import keys from "./browser/keys.script.js" with { type: "text" };
import main from "./browser/main.script.js" with { type: "text" };
import palette from "./browser/palette.script.js" with { type: "text" };
import turns from "./browser/turns.script.js" with { type: "text" };
import own from "./browser/viewer.css" with { type: "text" };

/** A file that is served as it is. */
export interface Asset {
  type: string;
  text: () => string;
}

const script = (text: string): Asset => ({ type: "text/javascript; charset=utf-8", text: () => text });
const sheet = (text: () => string): Asset => ({ type: "text/css; charset=utf-8", text });

/** All files that there are, by their address; no other is served. */
export const assets: Readonly<Record<string, Asset>> = {
  "/main.script.js": script(main),
  "/keys.script.js": script(keys),
  "/palette.script.js": script(palette),
  "/turns.script.js": script(turns),
  "/viewer.css": sheet(() => own),
  "/turns.css": sheet(() => styles),
};
