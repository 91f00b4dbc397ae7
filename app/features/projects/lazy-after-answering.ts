import { lazyRouteComponent } from '@tanstack/react-router'

/** Loaded only where a receipt is shown. */
export const AfterAnswering = lazyRouteComponent(() => import('./AfterAnswering.tsx'), 'AfterAnswering')
