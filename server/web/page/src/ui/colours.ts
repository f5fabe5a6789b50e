/** A driver's colour: the same everywhere in the page. */
export { playerColour as colourOf } from '../map/colours';
