import { preloadServerCalls } from '#app/shell/server-calls.ts'

/** The pickers' files are loaded only by a page that shows them. They ask for the map at once. */
export const loadPlacePicker = () => {
  preloadServerCalls()
  return import('./PlacePicker.tsx')
}

export const loadShapePicker = () => {
  preloadServerCalls()
  return import('./ShapePicker.tsx')
}

export const loadMapSearch = () => import('./MapSearch.tsx')
