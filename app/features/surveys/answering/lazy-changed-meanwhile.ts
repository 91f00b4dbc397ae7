import { lazyRouteComponent } from '@tanstack/react-router'

/** Loaded only for people whose sent answers were changed on another device. */
export const ChangedMeanwhile = lazyRouteComponent(() => import('./ChangedMeanwhile.tsx'), 'ChangedMeanwhile')
