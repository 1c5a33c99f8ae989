// What can be set on each page.

import { COMPARE, ITEMS } from "./other_fields.js";
import { UNITS } from "./unit_fields.js";

export const FIELDS = { units: UNITS, items: ITEMS, compare: COMPARE };
