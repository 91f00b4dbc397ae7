import { waitForFirstSight } from './shell/first-sight.ts'

/** The only script that loads with a participant's page: everything else follows once its first screen is painted. */
void waitForFirstSight()
  .then(() => import('./hydrate.tsx'))
  .then(({ hydratePage }) => hydratePage())
