import type account from '../locales/en/account.json'
import type admin from '../locales/en/admin.json'
import type api from '../locales/en/api.json'
import type areasAdmin from '../locales/en/areas-admin.json'
import type appeals from '../locales/en/appeals.json'
import type budgets from '../locales/en/budgets.json'
import type budgetsAdmin from '../locales/en/budgets-admin.json'
import type calendar from '../locales/en/calendar.json'
import type cityAdmin from '../locales/en/city-admin.json'
import type cityData from '../locales/en/city-data.json'
import type cockpit from '../locales/en/cockpit.json'
import type common from '../locales/en/common.json'
import type contributions from '../locales/en/contributions.json'
import type contributionsAdmin from '../locales/en/contributions-admin.json'
import type cookies from '../locales/en/cookies.json'
import type duties from '../locales/en/duties.json'
import type editor from '../locales/en/editor.json'
import type embeds from '../locales/en/embeds.json'
import type errors from '../locales/en/errors.json'
import type events from '../locales/en/events.json'
import type eventsAdmin from '../locales/en/events-admin.json'
import type mail from '../locales/en/mail.json'
import type marketplace from '../locales/en/marketplace.json'
import type media from '../locales/en/media.json'
import type participant from '../locales/en/participant.json'
import type moderation from '../locales/en/moderation.json'
import type moderationAdmin from '../locales/en/moderation-admin.json'
import type people from '../locales/en/people.json'
import type populations from '../locales/en/populations.json'
import type plainWords from '../locales/en/plain-words.json'
import type platform from '../locales/en/platform.json'
import type privacy from '../locales/en/privacy.json'
import type reach from '../locales/en/reach.json'
import type receipt from '../locales/en/receipt.json'
import type reports from '../locales/en/reports.json'
import type sms from '../locales/en/sms.json'
import type heard from '../locales/en/heard.json'
import type heardAdmin from '../locales/en/heard-admin.json'
import type heardReport from '../locales/en/heard-report.json'
import type help from '../locales/en/help.json'
import type identity from '../locales/en/identity.json'
import type identityAdmin from '../locales/en/identity-admin.json'
import type findings from '../locales/en/findings.json'
import type ledger from '../locales/en/ledger.json'
import type letters from '../locales/en/letters.json'
import type survey from '../locales/en/survey.json'
import type surveyAccess from '../locales/en/survey-access.json'
import type surveyAdmin from '../locales/en/survey-admin.json'
import type surveyData from '../locales/en/survey-data.json'
import type switches from '../locales/en/switches.json'
import type teamwork from '../locales/en/teamwork.json'
import type translations from '../locales/en/translations.json'
import type verifications from '../locales/en/verifications.json'
import type verificationsAdmin from '../locales/en/verifications-admin.json'

/** Types the keys and namespaces of `t`: one that `locales/en` does not have fails the type check. */
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    resources: {
      common: typeof common
      cookies: typeof cookies
      participant: typeof participant
      account: typeof account
      people: typeof people
      populations: typeof populations
      'plain-words': typeof plainWords
      platform: typeof platform
      privacy: typeof privacy
      reach: typeof reach
      receipt: typeof receipt
      reports: typeof reports
      survey: typeof survey
      'survey-access': typeof surveyAccess
      'survey-admin': typeof surveyAdmin
      budgets: typeof budgets
      'budgets-admin': typeof budgetsAdmin
      events: typeof events
      'events-admin': typeof eventsAdmin
      contributions: typeof contributions
      'contributions-admin': typeof contributionsAdmin
      'areas-admin': typeof areasAdmin
      calendar: typeof calendar
      cockpit: typeof cockpit
      appeals: typeof appeals
      moderation: typeof moderation
      'moderation-admin': typeof moderationAdmin
      'survey-data': typeof surveyData
      admin: typeof admin
      api: typeof api
      duties: typeof duties
      editor: typeof editor
      embeds: typeof embeds
      errors: typeof errors
      mail: typeof mail
      marketplace: typeof marketplace
      media: typeof media
      sms: typeof sms
      heard: typeof heard
      'heard-admin': typeof heardAdmin
      'heard-report': typeof heardReport
      help: typeof help
      identity: typeof identity
      'identity-admin': typeof identityAdmin
      findings: typeof findings
      ledger: typeof ledger
      letters: typeof letters
      switches: typeof switches
      teamwork: typeof teamwork
      translations: typeof translations
      verifications: typeof verifications
      'verifications-admin': typeof verificationsAdmin
      'city-data': typeof cityData
      'city-admin': typeof cityAdmin
    }
  }
}
