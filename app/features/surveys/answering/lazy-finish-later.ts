import { lazyRouteComponent } from '@tanstack/react-router'

/** Loaded once somebody starts to answer. */
export const FinishLater = lazyRouteComponent(() => import('./FinishLater.tsx'), 'FinishLater')
