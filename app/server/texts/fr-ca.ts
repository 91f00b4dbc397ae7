import account from '../../../locales/fr-CA/account.json' with { type: 'json' }
import admin from '../../../locales/fr-CA/admin.json' with { type: 'json' }
import api from '../../../locales/fr-CA/api.json' with { type: 'json' }
import areasAdmin from '../../../locales/fr-CA/areas-admin.json' with { type: 'json' }
import appeals from '../../../locales/fr-CA/appeals.json' with { type: 'json' }
import budgets from '../../../locales/fr-CA/budgets.json' with { type: 'json' }
import budgetsAdmin from '../../../locales/fr-CA/budgets-admin.json' with { type: 'json' }
import calendar from '../../../locales/fr-CA/calendar.json' with { type: 'json' }
import cityAdmin from '../../../locales/fr-CA/city-admin.json' with { type: 'json' }
import cityData from '../../../locales/fr-CA/city-data.json' with { type: 'json' }
import cockpit from '../../../locales/fr-CA/cockpit.json' with { type: 'json' }
import common from '../../../locales/fr-CA/common.json' with { type: 'json' }
import contributions from '../../../locales/fr-CA/contributions.json' with { type: 'json' }
import contributionsAdmin from '../../../locales/fr-CA/contributions-admin.json' with { type: 'json' }
import cookies from '../../../locales/fr-CA/cookies.json' with { type: 'json' }
import duties from '../../../locales/fr-CA/duties.json' with { type: 'json' }
import editor from '../../../locales/fr-CA/editor.json' with { type: 'json' }
import embeds from '../../../locales/fr-CA/embeds.json' with { type: 'json' }
import errors from '../../../locales/fr-CA/errors.json' with { type: 'json' }
import findings from '../../../locales/fr-CA/findings.json' with { type: 'json' }
import events from '../../../locales/fr-CA/events.json' with { type: 'json' }
import eventsAdmin from '../../../locales/fr-CA/events-admin.json' with { type: 'json' }
import heard from '../../../locales/fr-CA/heard.json' with { type: 'json' }
import heardAdmin from '../../../locales/fr-CA/heard-admin.json' with { type: 'json' }
import heardReport from '../../../locales/fr-CA/heard-report.json' with { type: 'json' }
import help from '../../../locales/fr-CA/help.json' with { type: 'json' }
import identity from '../../../locales/fr-CA/identity.json' with { type: 'json' }
import identityAdmin from '../../../locales/fr-CA/identity-admin.json' with { type: 'json' }
import ledger from '../../../locales/fr-CA/ledger.json' with { type: 'json' }
import letters from '../../../locales/fr-CA/letters.json' with { type: 'json' }
import mail from '../../../locales/fr-CA/mail.json' with { type: 'json' }
import marketplace from '../../../locales/fr-CA/marketplace.json' with { type: 'json' }
import media from '../../../locales/fr-CA/media.json' with { type: 'json' }
import moderation from '../../../locales/fr-CA/moderation.json' with { type: 'json' }
import moderationAdmin from '../../../locales/fr-CA/moderation-admin.json' with { type: 'json' }
import participant from '../../../locales/fr-CA/participant.json' with { type: 'json' }
import people from '../../../locales/fr-CA/people.json' with { type: 'json' }
import populations from '../../../locales/fr-CA/populations.json' with { type: 'json' }
import plainWords from '../../../locales/fr-CA/plain-words.json' with { type: 'json' }
import platform from '../../../locales/fr-CA/platform.json' with { type: 'json' }
import privacy from '../../../locales/fr-CA/privacy.json' with { type: 'json' }
import reach from '../../../locales/fr-CA/reach.json' with { type: 'json' }
import receipt from '../../../locales/fr-CA/receipt.json' with { type: 'json' }
import reports from '../../../locales/fr-CA/reports.json' with { type: 'json' }
import sms from '../../../locales/fr-CA/sms.json' with { type: 'json' }
import survey from '../../../locales/fr-CA/survey.json' with { type: 'json' }
import surveyAccess from '../../../locales/fr-CA/survey-access.json' with { type: 'json' }
import surveyAdmin from '../../../locales/fr-CA/survey-admin.json' with { type: 'json' }
import surveyData from '../../../locales/fr-CA/survey-data.json' with { type: 'json' }
import switches from '../../../locales/fr-CA/switches.json' with { type: 'json' }
import teamwork from '../../../locales/fr-CA/teamwork.json' with { type: 'json' }
import translations from '../../../locales/fr-CA/translations.json' with { type: 'json' }
import verifications from '../../../locales/fr-CA/verifications.json' with { type: 'json' }
import verificationsAdmin from '../../../locales/fr-CA/verifications-admin.json' with { type: 'json' }
import type { Texts } from './texts.ts'

export const texts: Texts = {
  common,
  cookies,
  participant,
  'areas-admin': areasAdmin,
  calendar,
  cockpit,
  appeals,
  contributions,
  budgets,
  'budgets-admin': budgetsAdmin,
  events,
  'events-admin': eventsAdmin,
  'contributions-admin': contributionsAdmin,
  moderation,
  'moderation-admin': moderationAdmin,
  account,
  people,
  populations,
  'plain-words': plainWords,
  platform,
  privacy,
  survey,
  'survey-access': surveyAccess,
  'survey-admin': surveyAdmin,
  'survey-data': surveyData,
  admin,
  api,
  duties,
  editor,
  embeds,
  errors,
  heard,
  'heard-admin': heardAdmin,
  'heard-report': heardReport,
  help,
  identity,
  'identity-admin': identityAdmin,
  findings,
  ledger,
  letters,
  mail,
  marketplace,
  reach,
  receipt,
  reports,
  media,
  sms,
  switches,
  teamwork,
  translations,
  'city-data': cityData,
  'city-admin': cityAdmin,
  verifications,
  'verifications-admin': verificationsAdmin,
}
