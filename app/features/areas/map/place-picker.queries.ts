/** The pickers' files are loaded only by a page that shows them. */
export const loadPlacePicker = () => import('./PlacePicker.tsx')
export const loadShapePicker = () => import('./ShapePicker.tsx')
