// What the pages do beside being read: keys, search as you type, turns that are fetched as they come near.
import { listenForKeys } from "./keys.script.js";
import { listenForWords } from "./palette.script.js";
import { fetchAsNeeded } from "./turns.script.js";

listenForKeys();
listenForWords();
fetchAsNeeded();
