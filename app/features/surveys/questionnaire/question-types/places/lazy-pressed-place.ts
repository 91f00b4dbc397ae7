import { lazyRouteComponent } from '@tanstack/react-router'

/** Only the server renders it: a browser with JavaScript never loads its file. */
export const PressedPlace = lazyRouteComponent(() => import('./PressedPlace.tsx'), 'PressedPlace')
