import { apiTokenResource } from '../features/api-tokens/api-tokens.resource.server.ts'
import { accountDeletionResource, ownDataResource } from '#app/features/people/own-data.resource.server.ts'
import {
  currentUserResource,
  emailChangeResource,
  emailConfirmationResource,
  passwordChangeResource,
  passwordResetResource,
  sessionConfirmationResource,
  sessionResource,
} from '../features/accounts/accounts.resource.server.ts'
import { activityResource } from '../features/contributions/managing/activities.resource.server.ts'
import {
  activityRevisionPublicationResource,
  activityRevisionResource,
} from '../features/contributions/managing/activity-revisions.resource.server.ts'
import { activityReviewResource } from '../features/contributions/managing/activity-reviews.resource.server.ts'
import { activityInvitationBatchResource } from '../features/contributions/managing/activity-invitations.resource.server.ts'
import { categoryResource } from '../features/contributions/managing/categories.resource.server.ts'
import { contributionStatusResource } from '../features/contributions/managing/contribution-statuses.resource.server.ts'
import {
  contributionResource,
  contributionVersionResource,
  officialResponseResource,
  reactionResource,
  replyResource,
} from '../features/contributions/contributions.resource.server.ts'
import { maskedOriginalResource } from '../features/contributions/moderation/masking/masked-originals.resource.server.ts'
import {
  moderationCaseResource,
  moderationDecisionResource,
  moderationRuleResource,
} from '../features/contributions/moderation/moderation.resource.server.ts'
import {
  codeBatchResource,
  eligibilityListResource,
  postcodeSettingResource,
  verificationResource,
  verificationTextResource,
} from '../features/verifications/verifications.resource.server.ts'
import { consultationDutyResource } from '../features/consultation-duties/consultation-duties.resource.server.ts'
import { referencePopulationResource } from '../features/reference-populations/reference-populations.resource.server.ts'
import { jargonListResource } from '../features/plain-words/jargon-lists.resource.server.ts'
import { wordListResource } from '../features/contributions/moderation/words/word-lists.resource.server.ts'
import { moderationAppealResource } from '../features/contributions/moderation/appeals/appeals.resource.server.ts'
import {
  moderationReportResource,
  moderationSettingResource,
} from '../features/contributions/moderation/reports/reports.resource.server.ts'
import { contributionTranslationResource } from '../features/contributions/translating/translations.resource.server.ts'
import { answerAgreementResource, answerDraftResource } from '../features/contributions/responding/answer-drafts.resource.server.ts'
import { contributionNoteResource } from '../features/contributions/notes/contribution-notes.resource.server.ts'
import { contributionLinkResource } from '../features/contributions/merging/contribution-links.resource.server.ts'
import { projectStageResource } from '../features/contributions/managing/project-stages.resource.server.ts'
import { areaOutlineResource } from '../features/areas/area-outlines.resource.server.ts'
import { areaResource, lostAreaResource, projectPlacementResource, surveyAreaResource } from '../features/areas/areas.resource.server.ts'
import { groupResource } from '../features/accounts/groups.resource.server.ts'
import { profileAnswerResource, profileLookResource, profileQuestionResource } from '../features/profile/profile.resource.server.ts'
import { mailAddressResource } from '../features/accounts/mail-addresses.resource.server.ts'
import {
  invitationLinkResource,
  invitationResource,
  membershipResource,
  secondStepResetResource,
  userBlockResource,
  userMergeResource,
  userResource,
} from '#app/features/people/people.resource.server.ts'
import { auditCheckResource, auditEventResource } from '../features/audit/audit.resource.server.ts'
import {
  featuresResource,
  featureSwitchResource,
  siteFeaturesResource,
} from '../features/feature-switches/feature-switches.resource.server.ts'
import { eventAttendanceResource, eventResource, eventSignUpResource } from '../features/events/managing/events.resource.server.ts'
import { notificationResource } from '../features/notifications/notifications.resource.server.ts'
import { savedSectionResource } from '../features/homepage/saved-sections.resource.server.ts'
import { calendarDateResource, calendarLinkResource } from '../features/calendar/calendar.resource.server.ts'
import { reportLinkResource, reportViewResource } from '../features/reports/views/report-views.resource.server.ts'
import { savedViewResource } from '../features/saved-views/saved-views.resource.server.ts'
import { hubResource, topicResource } from '../features/hubs/hubs.resource.server.ts'
import {
  identityAdmissionResource,
  identityProviderKeyResource,
  identityProviderResource,
  identityProviderAgreementResource,
  identityProviderChangeResource,
  identityProviderTestResource,
  identityRequestResource,
  identityResource,
} from '../features/identity/identity.resource.server.ts'
import { librariesDetailsResource } from '../features/libraries/libraries.resource.server.ts'
import {
  installationCallResource,
  installationResource,
  installationTestResource,
  integrationResource,
} from '../features/marketplace/marketplace.resource.server.ts'
import {
  webhookDeliveryResource,
  webhookReplayResource,
  webhookSecretResource,
} from '../features/marketplace/webhooks/webhooks.resource.server.ts'
import { openAnswerDecisionResource, openAnswerResource } from '../features/opencities/open-answers.resource.server.ts'
import {
  cityConnectorResource,
  cityDatasetResource,
  citySynchronisationResource,
  opencitiesMetaResource,
} from '../features/opencities/opencities.resource.server.ts'
import { mapFileResource } from '../features/areas/streets/map-files.resource.server.ts'
import { mapLayerResource } from '../features/contributions/layers/map-layers.resource.server.ts'
import { mediaAssetResource, mediaUploadResource } from '../features/media/media.resource.server.ts'
import { personNoteResource } from '../features/people/notes/person-notes.resource.server.ts'
import { projectRetentionResource, retentionSettingResource } from '../features/people/retention/retention.resource.server.ts'
import { projectAdmissionResource, projectMemberResource } from '../features/projects/members/members.resource.server.ts'
import { projectDocumentResource } from '../features/projects/documents/documents.resource.server.ts'
import { pageResource } from '../features/pages/pages.resource.server.ts'
import { projectFiguresResource } from '../features/reports/reports.resource.server.ts'
import { jobTurnResource, siteFiguresResource } from '../features/platform/platform.resource.server.ts'
import { surveyReviewResource } from '../features/surveys/managing/survey-reviews.resource.server.ts'
import { projectReviewResource } from '../features/projects/reviews/project-reviews.resource.server.ts'
import { projectTemplateResource } from '../features/projects/templates/project-templates.resource.server.ts'
import { describeNewActivity } from '../features/contributions/kinds/new-activity.server.ts'
import { archivalResource, createProjectResource, publicationResource } from '../features/projects/projects.resource.server.ts'
import {
  appearancePublicationResource,
  appearanceRevisionResource,
  homepagePublicationResource,
  homepageRevisionResource,
  projectRevisionPublicationResource,
  projectRevisionResource,
} from '../features/revisions/revisions.resource.server.ts'
import { draftLinkResource } from '../features/revisions/draft-links.resource.server.ts'
import { codingSampleResource } from '../features/heard/double-coding/coding-samples.resource.server.ts'
import { decisionPublicationResource, decisionResource } from '../features/heard/decisions.resource.server.ts'
import { teamCommentResource } from '../features/teamwork/comments/team-comments.resource.server.ts'
import { taskResource } from '../features/teamwork/tasks/tasks.resource.server.ts'
import { themeEvidenceResource, themeResource } from '../features/heard/themes.resource.server.ts'
import {
  heardReportResource,
  heardReportReviewResource,
  heardReportRevisionResource,
} from '../features/heard-reports/heard-reports.resource.server.ts'
import {
  themeSuggestionPassageResource,
  themeSuggestionResource,
  themeSuggestionRunResource,
} from '../features/heard/suggesting/suggestions.resource.server.ts'
import { projectUpdateResource } from '../features/updates/updates.resource.server.ts'
import { invitationBatchResource } from '../features/surveys/responses/access/survey-invitations.resource.server.ts'
import { browserTokenResource } from '../features/browser-tokens/browser-tokens.resource.server.ts'
import { crowdResource } from '../features/crowds/crowds.resource.server.ts'
import { bankQuestionResource } from '../features/surveys/bank/bank.resource.server.ts'
import { exportResource } from '../features/surveys/export/exports.resource.server.ts'
import { groupComparisonResource } from '../features/surveys/results/group-comparison.resource.server.ts'
import {
  responseDraftResource,
  responseErasureResource,
  responseResource,
  crossTableResource,
  surveyArchivalResource,
  surveyChangeResource,
  surveyCompletionResource,
  surveyResource,
  surveyResultResource,
  surveyRevisionResource,
  surveyVersionResource,
} from '../features/surveys/surveys.resource.server.ts'
import { responseFileResource } from '../features/surveys/responses/files/response-files.resource.server.ts'
import {
  answerTaggingResource,
  answerTagResource,
  writtenAnswerResource,
  writtenWordResource,
} from '../features/surveys/free-text/written-answers.resource.server.ts'
import { campaignFailureResource } from '../features/campaigns/campaign-failures.resource.server.ts'
import { linkClickResource } from '../features/campaigns/links/link-clicks.resource.server.ts'
import {
  newsletterEstimateResource,
  newsletterRecipientResource,
  newsletterResource,
  newsletterSendingResource,
  newsletterTestResource,
} from '../features/campaigns/newsletters/newsletters.resource.server.ts'
import {
  smsCampaignResource,
  smsEstimateResource,
  smsRecipientResource,
  smsSendingResource,
  smsTestResource,
} from '../features/campaigns/sms-campaigns/sms-campaigns.resource.server.ts'
import { sandboxTextResource, smsMessageResource } from '../features/sms/sms.resource.server.ts'
import {
  siteDomainResource,
  siteSuspensionResource,
  supportEntryResource,
  openSupportGrantResource,
  supportGrantResource,
} from '../features/sites/managing.resource.server.ts'
import { siteAdministratorResource, siteInvitationResource } from '../features/sites/site-administrators.resource.server.ts'
import { budgetResources } from '../features/budgets/budget-resources.server.ts'
import { siteDeletionResource } from '../features/sites/deletion/deletions.resource.server.ts'
import { currentSiteResource, siteResource } from '../features/sites/sites.resource.server.ts'
import { createRegistry } from '../server/api/create-registry.ts'

/** Every resource of `/api/v2`. Add yours in alphabetical order. */
export const apiResources = createRegistry([
  apiTokenResource,
  accountDeletionResource,
  answerTaggingResource,
  answerTagResource,
  appearancePublicationResource,
  appearanceRevisionResource,
  archivalResource,
  areaOutlineResource,
  areaResource,
  lostAreaResource,
  auditCheckResource,
  auditEventResource,
  bankQuestionResource,
  crowdResource,
  browserTokenResource,
  cityConnectorResource,
  cityDatasetResource,
  citySynchronisationResource,
  currentSiteResource,
  currentUserResource,
  draftLinkResource,
  emailChangeResource,
  emailConfirmationResource,
  exportResource,
  featuresResource,
  featureSwitchResource,
  homepagePublicationResource,
  groupResource,
  personNoteResource,
  profileAnswerResource,
  profileLookResource,
  profileQuestionResource,
  homepageRevisionResource,
  hubResource,
  identityAdmissionResource,
  identityProviderKeyResource,
  identityProviderResource,
  identityProviderAgreementResource,
  identityProviderChangeResource,
  identityProviderTestResource,
  identityRequestResource,
  identityResource,
  installationCallResource,
  installationResource,
  installationTestResource,
  integrationResource,
  invitationLinkResource,
  invitationResource,
  librariesDetailsResource,
  mailAddressResource,
  mapFileResource,
  mapLayerResource,
  mediaAssetResource,
  mediaUploadResource,
  membershipResource,
  newsletterEstimateResource,
  newsletterRecipientResource,
  newsletterResource,
  newsletterSendingResource,
  newsletterTestResource,
  notificationResource,
  openAnswerDecisionResource,
  openAnswerResource,
  opencitiesMetaResource,
  ownDataResource,
  pageResource,
  passwordChangeResource,
  passwordResetResource,
  sessionConfirmationResource,
  projectReviewResource,
  surveyReviewResource,
  activityReviewResource,
  projectRetentionResource,
  retentionSettingResource,
  projectAdmissionResource,
  projectDocumentResource,
  projectMemberResource,
  projectPlacementResource,
  createProjectResource(describeNewActivity),
  projectTemplateResource,
  projectRevisionPublicationResource,
  projectRevisionResource,
  projectUpdateResource,
  themeResource,
  themeEvidenceResource,
  codingSampleResource,
  themeSuggestionRunResource,
  themeSuggestionResource,
  themeSuggestionPassageResource,
  decisionResource,
  decisionPublicationResource,
  heardReportRevisionResource,
  heardReportResource,
  heardReportReviewResource,
  publicationResource,
  responseDraftResource,
  responseErasureResource,
  responseFileResource,
  reportLinkResource,
  reportViewResource,
  responseResource,
  savedSectionResource,
  calendarDateResource,
  calendarLinkResource,
  savedViewResource,
  sessionResource,
  siteAdministratorResource,
  siteInvitationResource,
  ...budgetResources,
  eventResource,
  eventSignUpResource,
  eventAttendanceResource,
  siteDeletionResource,
  codeBatchResource,
  eligibilityListResource,
  postcodeSettingResource,
  verificationTextResource,
  verificationResource,
  projectStageResource,
  maskedOriginalResource,
  moderationCaseResource,
  moderationDecisionResource,
  moderationRuleResource,
  wordListResource,
  jargonListResource,
  referencePopulationResource,
  consultationDutyResource,
  moderationReportResource,
  moderationAppealResource,
  moderationSettingResource,
  activityResource,
  activityRevisionPublicationResource,
  activityRevisionResource,
  activityInvitationBatchResource,
  categoryResource,
  contributionStatusResource,
  contributionResource,
  contributionVersionResource,
  contributionLinkResource,
  contributionNoteResource,
  answerDraftResource,
  answerAgreementResource,
  reactionResource,
  replyResource,
  officialResponseResource,
  contributionTranslationResource,
  projectFiguresResource,
  siteFiguresResource,
  jobTurnResource,
  siteDomainResource,
  siteFeaturesResource,
  siteResource,
  siteSuspensionResource,
  sandboxTextResource,
  smsCampaignResource,
  smsEstimateResource,
  smsMessageResource,
  campaignFailureResource,
  linkClickResource,
  smsRecipientResource,
  smsSendingResource,
  smsTestResource,
  supportEntryResource,
  openSupportGrantResource,
  supportGrantResource,
  surveyArchivalResource,
  surveyAreaResource,
  surveyChangeResource,
  surveyCompletionResource,
  crossTableResource,
  groupComparisonResource,
  invitationBatchResource,
  surveyResource,
  surveyResultResource,
  surveyRevisionResource,
  surveyVersionResource,
  secondStepResetResource,
  taskResource,
  teamCommentResource,
  topicResource,
  userBlockResource,
  userMergeResource,
  userResource,
  webhookDeliveryResource,
  webhookReplayResource,
  webhookSecretResource,
  writtenAnswerResource,
  writtenWordResource,
])
