import { lazyRouteComponent } from '@tanstack/react-router'

/** Loaded once somebody has begun to answer. */
export const FinishLater = lazyRouteComponent(() => import('./FinishLater.tsx'), 'FinishLater')
