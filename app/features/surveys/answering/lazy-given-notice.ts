import { lazyRouteComponent } from '@tanstack/react-router'

/** Loaded only for people who have answered the survey. */
export const GivenNotice = lazyRouteComponent(() => import('./GivenNotice.tsx'), 'GivenNotice')
