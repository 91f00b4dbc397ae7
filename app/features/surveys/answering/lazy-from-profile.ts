import { lazyRouteComponent } from '@tanstack/react-router'

/** Loaded only if the survey asks what people are asked about themselves. */
export const FromProfile = lazyRouteComponent(() => import('./FromProfile.tsx'), 'FromProfile')
export const KeepInProfile = lazyRouteComponent(() => import('./FromProfile.tsx'), 'KeepInProfile')
