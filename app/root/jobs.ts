import { sweepAccounts } from '../features/accounts/sweep-accounts.server.ts'
import { APPEARANCE } from '../features/appearance/appearance.server.ts'
import { HOMEPAGE } from '../features/homepage/homepage.server.ts'
import { findSiteMailTransport } from '../features/marketplace/site-mail-transport.server.ts'
import { sweepCalls } from '../features/marketplace/service-calls.server.ts'
import { deliverWebhooks, sweepWebhooks } from '../features/marketplace/webhooks/deliver-webhooks.server.ts'
import { remindOfCertificates } from '../features/identity/saml/remind-of-certificates.server.ts'
import { countSitesDue } from '../features/opencities/due-datasets.server.ts'
import { remindOfEvents } from '../features/events/signing-up/remind.server.ts'
import { sweepUploads } from '../features/media/media.uploads.server.ts'
import { eraseOldOriginals } from '../features/contributions/moderation/masking/erase-originals.server.ts'
import { mailDueWork } from '../features/contributions/moderation/due-mails.server.ts'
import { returnHeldTexts } from '../features/contributions/moderation/reports/hold-reported.server.ts'
import { tellReporters } from '../features/contributions/moderation/reports/report-mails.server.ts'
import { sendAnswerSets } from '../features/contributions/desk/send-answer-sets.server.ts'
import { countWaitingCounts } from '../features/budgets/managing/make-counts.server.ts'
import { tellProposers } from '../features/budgets/proposals/tell-proposers.server.ts'
import { tellOfAnswers } from '../features/contributions/following/tell-of-answers.server.ts'
import { tellMerges } from '../features/contributions/merging/merge-mails.server.ts'
import { countWaitingRuns } from '../features/heard/suggesting/make-suggestions.server.ts'
import { appendLedgers } from '../features/ledger/append-ledgers.server.ts'
import { mailWeeks } from '../features/cockpit/weekly-mail/weekly-mail.server.ts'
import { countResponses } from '../features/dashboard/count-responses.server.ts'
import { checkFigures, recountResponses } from '../features/dashboard/recount-responses.server.ts'
import { mailDueDigests } from '../features/follows/digests.server.ts'
import { mailDueUpdates } from '../features/follows/follows.mails.server.ts'
import { sendDueReports } from '../features/reports/views/send-reports.server.ts'
import { rollUpReach } from '../features/reach/roll-up.server.ts'
import type { JobName } from '../features/platform/platform.schema.ts'
import { refreshSiteFigures } from '../features/platform/site-figures.server.ts'
import { PROJECT_CONTENT } from '../features/projects/project-revisions.server.ts'
import { publishDueProjects } from '../features/projects/projects.publishing.server.ts'
import { expireExports } from '../features/surveys/export/exports.server.ts'
import { countWaitingExports } from '../features/surveys/export/make-exports.server.ts'
import { HEARD_REPORT } from '../features/heard-reports/publish-report.server.ts'
import { ACTIVITY_CONTENT } from '../features/contributions/managing/activity-revisions.server.ts'
import { SURVEY_HISTORY } from '../features/surveys/managing/survey-revisions.server.ts'
import { sweepDrafts } from '../features/surveys/responses/draft-limits.server.ts'
import { sweepPhotos } from '../features/contributions/photos/stored-photos.server.ts'
import { sweepFiles } from '../features/surveys/responses/files/response-files.server.ts'
import { makeBlocks } from '../features/surveys/responses/response-bitmaps.server.ts'
import { cleanUpConversations } from '../features/sms/answering/finish-conversation.server.ts'
import { removePersonalData } from '../features/people/retention/remove-personal-data.server.ts'
import { runCampaigns } from '../features/campaigns/prepare-campaigns.server.ts'
import { sendDueMessages } from '../features/sms/deliver-messages.server.ts'
import { announceDueRevisions } from '../features/revisions/revisions.server.ts'
import { thinRevisions } from '../features/revisions/thin-revisions.server.ts'
import { makeSiteArchives } from '../features/sites/deletion/make-archives.server.ts'
import { eraseDueSites } from '../features/sites/deletion/erase-sites.server.ts'
import { sweepVerifications } from '../features/verifications/verifications.server.ts'
import { deliverMails } from '../server/mail/deliver.ts'
import { runInOwnProcess } from '../server/jobs/run-in-own-process.ts'
import type { Job } from '../server/jobs/run-jobs.ts'
import { runWithSiteIds, runOnSitesWithWork } from '../server/jobs/sites-with-work.ts'

/** Everything that runs without a request. A job calls a use-case, which may run twice or in two processes at once. */
export const JOBS: readonly (Job & { name: JobName })[] = [
  {
    name: 'publish-due-projects',
    everySeconds: 5,
    run: runOnSitesWithWork('publish-due-projects', (runtime) => publishDueProjects(runtime)),
  },
  {
    name: 'announce-revisions',
    everySeconds: 5,
    run: runOnSitesWithWork('announce-revisions', (runtime) => announceDueRevisions(runtime, [HOMEPAGE, APPEARANCE])),
  },
  { name: 'mail-updates', everySeconds: 5, run: runOnSitesWithWork('mail-updates', (runtime) => mailDueUpdates(runtime)) },
  { name: 'return-held-texts', everySeconds: 60, run: runOnSitesWithWork('return-held-texts', (runtime) => returnHeldTexts(runtime)) },
  { name: 'tell-reporters', everySeconds: 60, run: runOnSitesWithWork('tell-reporters', (runtime) => tellReporters(runtime)) },
  { name: 'mail-due-work', everySeconds: 300, run: runOnSitesWithWork('mail-due-work', (runtime) => mailDueWork(runtime)) },
  { name: 'remind-of-certificates', everySeconds: 3600, run: runOnSitesWithWork('remind-of-certificates', remindOfCertificates) },
  { name: 'tell-merges', everySeconds: 30, run: runOnSitesWithWork('tell-merges', (runtime) => tellMerges(runtime)) },
  { name: 'send-answers', everySeconds: 2, run: runOnSitesWithWork('send-answers', sendAnswerSets) },
  { name: 'tell-of-answers', everySeconds: 10, run: runOnSitesWithWork('tell-of-answers', (runtime) => tellOfAnswers(runtime)) },
  { name: 'tell-proposers', everySeconds: 60, run: runOnSitesWithWork('tell-proposers', tellProposers) },
  { name: 'mail-digests', everySeconds: 60, run: runOnSitesWithWork('mail-digests', (runtime) => mailDueDigests(runtime)) },
  { name: 'mail-reports', everySeconds: 300, run: runOnSitesWithWork('mail-reports', sendDueReports) },
  { name: 'mail-weekly', everySeconds: 600, run: runOnSitesWithWork('mail-weekly', mailWeeks) },
  { name: 'remind-of-events', everySeconds: 300, run: runOnSitesWithWork('remind-of-events', remindOfEvents) },
  {
    name: 'deliver-mails',
    everySeconds: 5,
    run: runWithSiteIds('deliver-mails', (runtime, ending, sites) =>
      deliverMails(runtime, sites, { wayOf: findSiteMailTransport, ending }),
    ),
  },
  { name: 'run-campaigns', everySeconds: 2, run: runOnSitesWithWork('run-campaigns', runCampaigns) },
  { name: 'send-texts', everySeconds: 2, run: runOnSitesWithWork('send-texts', sendDueMessages) },
  {
    name: 'tend-conversations',
    everySeconds: 30,
    run: runOnSitesWithWork('tend-conversations', (runtime) => cleanUpConversations(runtime)),
  },
  { name: 'deliver-webhooks', everySeconds: 2, run: runOnSitesWithWork('deliver-webhooks', deliverWebhooks) },
  { name: 'sweep-calls', everySeconds: 3600, run: runOnSitesWithWork('sweep-calls', sweepCalls) },
  { name: 'sweep-webhooks', everySeconds: 3600, run: runOnSitesWithWork('sweep-webhooks', sweepWebhooks) },
  {
    name: 'synchronise-city-data',
    everySeconds: 5,
    run: runOnSitesWithWork('synchronise-city-data', runInOwnProcess('copy-city-data', { heapMb: 160, waiting: countSitesDue })),
  },
  { name: 'sweep-verifications', everySeconds: 600, run: runOnSitesWithWork('sweep-verifications', sweepVerifications) },
  { name: 'sweep-uploads', everySeconds: 3600, run: runOnSitesWithWork('sweep-uploads', sweepUploads) },
  { name: 'sweep-contribution-photos', everySeconds: 600, run: runOnSitesWithWork('sweep-contribution-photos', sweepPhotos) },
  { name: 'erase-originals', everySeconds: 3600, run: runOnSitesWithWork('erase-originals', eraseOldOriginals) },
  { name: 'sweep-response-files', everySeconds: 3600, run: runOnSitesWithWork('sweep-response-files', sweepFiles) },
  { name: 'sweep-response-drafts', everySeconds: 3600, run: runOnSitesWithWork('sweep-response-drafts', sweepDrafts) },
  { name: 'append-ledgers', everySeconds: 60, run: runOnSitesWithWork('append-ledgers', appendLedgers) },
  { name: 'make-response-blocks', everySeconds: 10, run: runOnSitesWithWork('make-response-blocks', makeBlocks) },
  {
    name: 'make-exports',
    everySeconds: 2,
    run: runOnSitesWithWork('make-exports', runInOwnProcess('make-exports', { heapMb: 96, waiting: countWaitingExports })),
  },
  {
    name: 'suggest-themes',
    everySeconds: 2,
    run: runOnSitesWithWork('suggest-themes', runInOwnProcess('suggest-themes', { heapMb: 320, waiting: countWaitingRuns })),
  },
  {
    name: 'count-rounds',
    everySeconds: 2,
    run: runOnSitesWithWork('count-rounds', runInOwnProcess('count-rounds', { heapMb: 320, waiting: countWaitingCounts })),
  },
  { name: 'remove-personal-data', everySeconds: 3600, run: runOnSitesWithWork('remove-personal-data', removePersonalData) },
  { name: 'expire-exports', everySeconds: 3600, run: runOnSitesWithWork('expire-exports', expireExports) },
  { name: 'make-site-exports', everySeconds: 5, run: (runtime) => makeSiteArchives(runtime) },
  { name: 'erase-sites', everySeconds: 600, run: eraseDueSites },
  { name: 'count-responses', everySeconds: 5, run: runOnSitesWithWork('count-responses', (runtime) => countResponses(runtime)) },
  { name: 'recount-responses', everySeconds: 60, run: runOnSitesWithWork('recount-responses', recountResponses) },
  { name: 'check-figures', everySeconds: 3600, run: checkFigures },
  { name: 'roll-up-reach', everySeconds: 60, run: runOnSitesWithWork('roll-up-reach', (runtime) => rollUpReach(runtime)) },
  { name: 'count-platform-figures', everySeconds: 60, run: refreshSiteFigures },
  {
    name: 'thin-revisions',
    everySeconds: 3600,
    run: runOnSitesWithWork('thin-revisions', (runtime) =>
      thinRevisions(runtime, [HOMEPAGE, APPEARANCE, PROJECT_CONTENT, ACTIVITY_CONTENT, HEARD_REPORT, SURVEY_HISTORY]),
    ),
  },
  {
    name: 'sweep',
    everySeconds: 6 * 3600,
    run: runWithSiteIds('sweep', (runtime, _, sites) => sweepAccounts(runtime.database, runtime.now(), sites), 7 * 24),
  },
]
