/** The picker's file is loaded only by a page that shows it. */
export const loadPlacePicker = () => import('./PlacePicker.tsx')
