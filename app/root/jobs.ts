import { sweepAccounts } from '../features/accounts/sweep.server.ts'
import { APPEARANCE } from '../features/appearance/appearance.server.ts'
import { HOMEPAGE } from '../features/homepage/homepage.server.ts'
import { siteMailWay } from '../features/marketplace/mail-way.server.ts'
import { sweepCalls } from '../features/marketplace/calls.server.ts'
import { deliverWebhooks, sweepWebhooks } from '../features/marketplace/webhooks/deliver.server.ts'
import { countDue } from '../features/opencities/due.server.ts'
import { sweepUploads } from '../features/media/media.uploads.server.ts'
import { mailDueDigests } from '../features/follows/digests.server.ts'
import { mailDueUpdates } from '../features/follows/follows.mails.server.ts'
import { rollUpReach } from '../features/reach/roll-up.server.ts'
import type { JobName } from '../features/platform/platform.schema.ts'
import { countSites } from '../features/platform/site-figures.server.ts'
import { publishDue } from '../features/projects/projects.publishing.server.ts'
import { expireExports } from '../features/surveys/export/exports.server.ts'
import { countWaitingExports } from '../features/surveys/export/make-exports.server.ts'
import { sweepDrafts } from '../features/surveys/responses/draft-limits.server.ts'
import { sweepFiles } from '../features/surveys/responses/files/response-files.server.ts'
import { makeBlocks } from '../features/surveys/responses/response-bitmaps.server.ts'
import { tendConversations } from '../features/sms/answering/finish.server.ts'
import { runCampaigns } from '../features/campaigns/prepare.server.ts'
import { sendDueMessages } from '../features/sms/deliver.server.ts'
import { announceDue } from '../features/revisions/revisions.server.ts'
import { thinRevisions } from '../features/revisions/thinning.server.ts'
import { makeSiteArchives } from '../features/sites/deletion/archive.server.ts'
import { eraseDueSites } from '../features/sites/deletion/erase.server.ts'
import { deliverMails } from '../server/mail/deliver.ts'
import { apart } from '../server/jobs/apart.ts'
import type { Job } from '../server/jobs/run-jobs.ts'
import { lookingFor, whereWork } from '../server/jobs/where-work.ts'

/** Everything that happens without a request. A job calls a use-case, which may run twice, or in two processes at once. */
export const JOBS: readonly (Job & { name: JobName })[] = [
  { name: 'publish-due-projects', everySeconds: 5, run: whereWork('publish-due-projects', (runtime) => publishDue(runtime)) },
  {
    name: 'announce-revisions',
    everySeconds: 5,
    run: whereWork('announce-revisions', (runtime) => announceDue(runtime, [HOMEPAGE, APPEARANCE])),
  },
  { name: 'mail-updates', everySeconds: 5, run: whereWork('mail-updates', (runtime) => mailDueUpdates(runtime)) },
  { name: 'mail-digests', everySeconds: 60, run: (runtime) => mailDueDigests(runtime) },
  {
    name: 'deliver-mails',
    everySeconds: 5,
    run: lookingFor('deliver-mails', (runtime, ending, sites) => deliverMails(runtime, sites, { wayOf: siteMailWay, ending })),
  },
  { name: 'run-campaigns', everySeconds: 2, run: whereWork('run-campaigns', runCampaigns) },
  { name: 'send-texts', everySeconds: 2, run: whereWork('send-texts', sendDueMessages) },
  { name: 'tend-conversations', everySeconds: 30, run: tendConversations },
  { name: 'deliver-webhooks', everySeconds: 2, run: whereWork('deliver-webhooks', deliverWebhooks) },
  { name: 'sweep-calls', everySeconds: 3600, run: sweepCalls },
  { name: 'sweep-webhooks', everySeconds: 3600, run: sweepWebhooks },
  {
    name: 'synchronise-city-data',
    everySeconds: 5,
    run: whereWork('synchronise-city-data', apart('copy-city-data', { heapMb: 160, waiting: countDue })),
  },
  { name: 'sweep-uploads', everySeconds: 3600, run: sweepUploads },
  { name: 'sweep-response-files', everySeconds: 3600, run: sweepFiles },
  { name: 'sweep-response-drafts', everySeconds: 3600, run: sweepDrafts },
  { name: 'make-response-blocks', everySeconds: 10, run: whereWork('make-response-blocks', makeBlocks) },
  {
    name: 'make-exports',
    everySeconds: 2,
    run: whereWork('make-exports', apart('make-exports', { heapMb: 96, waiting: countWaitingExports })),
  },
  { name: 'expire-exports', everySeconds: 3600, run: expireExports },
  { name: 'make-site-exports', everySeconds: 5, run: (runtime) => makeSiteArchives(runtime) },
  { name: 'erase-sites', everySeconds: 600, run: eraseDueSites },
  { name: 'roll-up-reach', everySeconds: 60, run: rollUpReach },
  { name: 'count-sites', everySeconds: 300, run: countSites },
  { name: 'thin-revisions', everySeconds: 3600, run: (runtime) => thinRevisions(runtime, [HOMEPAGE, APPEARANCE]) },
  { name: 'sweep', everySeconds: 6 * 3600, run: (runtime) => sweepAccounts(runtime.database, runtime.now()) },
]
