import { sweepAccounts } from '../../features/accounts/sweep.server.ts'
import { publishDue } from '../../features/projects/projects.publishing.server.ts'
import { deliverMails } from '../mail/deliver.ts'
import type { Job } from './run-jobs.ts'

/** Everything that happens without a request. A job calls a use-case, which may run twice, or in two processes at once. */
export const JOBS: readonly Job[] = [
  { name: 'publish-due-projects', everySeconds: 5, run: (runtime) => publishDue(runtime) },
  { name: 'deliver-mails', everySeconds: 5, run: (runtime) => deliverMails(runtime) },
  { name: 'sweep', everySeconds: 6 * 3600, run: (runtime) => sweepAccounts(runtime.database, runtime.now()) },
]
