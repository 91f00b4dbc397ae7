import { lazyRouteComponent } from '@tanstack/react-router'

/** Loaded only where a text has a video. */
export const VideoInPlace = lazyRouteComponent(() => import('./VideoInPlace.tsx'), 'VideoInPlace')
