import { createInstance, type i18n } from 'i18next'
import enAccount from '../../locales/en/account.json' with { type: 'json' }
import enAdmin from '../../locales/en/admin.json' with { type: 'json' }
import enApi from '../../locales/en/api.json' with { type: 'json' }
import enAppeals from '../../locales/en/appeals.json' with { type: 'json' }
import enCityAdmin from '../../locales/en/city-admin.json' with { type: 'json' }
import enCityData from '../../locales/en/city-data.json' with { type: 'json' }
import enCommon from '../../locales/en/common.json' with { type: 'json' }
import enContributions from '../../locales/en/contributions.json' with { type: 'json' }
import enContributionsAdmin from '../../locales/en/contributions-admin.json' with { type: 'json' }
import enCookies from '../../locales/en/cookies.json' with { type: 'json' }
import enEditor from '../../locales/en/editor.json' with { type: 'json' }
import enEmbeds from '../../locales/en/embeds.json' with { type: 'json' }
import enErrors from '../../locales/en/errors.json' with { type: 'json' }
import enLetters from '../../locales/en/letters.json' with { type: 'json' }
import enMail from '../../locales/en/mail.json' with { type: 'json' }
import enMarketplace from '../../locales/en/marketplace.json' with { type: 'json' }
import enMedia from '../../locales/en/media.json' with { type: 'json' }
import enModeration from '../../locales/en/moderation.json' with { type: 'json' }
import enModerationAdmin from '../../locales/en/moderation-admin.json' with { type: 'json' }
import enParticipant from '../../locales/en/participant.json' with { type: 'json' }
import enPeople from '../../locales/en/people.json' with { type: 'json' }
import enPlatform from '../../locales/en/platform.json' with { type: 'json' }
import enReach from '../../locales/en/reach.json' with { type: 'json' }
import enSms from '../../locales/en/sms.json' with { type: 'json' }
import enSurvey from '../../locales/en/survey.json' with { type: 'json' }
import enSurveyAccess from '../../locales/en/survey-access.json' with { type: 'json' }
import enSurveyAdmin from '../../locales/en/survey-admin.json' with { type: 'json' }
import enSurveyData from '../../locales/en/survey-data.json' with { type: 'json' }
import enSwitches from '../../locales/en/switches.json' with { type: 'json' }
import frAccount from '../../locales/fr-CA/account.json' with { type: 'json' }
import frAdmin from '../../locales/fr-CA/admin.json' with { type: 'json' }
import frApi from '../../locales/fr-CA/api.json' with { type: 'json' }
import frAppeals from '../../locales/fr-CA/appeals.json' with { type: 'json' }
import frCityAdmin from '../../locales/fr-CA/city-admin.json' with { type: 'json' }
import frCityData from '../../locales/fr-CA/city-data.json' with { type: 'json' }
import frCommon from '../../locales/fr-CA/common.json' with { type: 'json' }
import frContributions from '../../locales/fr-CA/contributions.json' with { type: 'json' }
import frContributionsAdmin from '../../locales/fr-CA/contributions-admin.json' with { type: 'json' }
import frCookies from '../../locales/fr-CA/cookies.json' with { type: 'json' }
import frEditor from '../../locales/fr-CA/editor.json' with { type: 'json' }
import frEmbeds from '../../locales/fr-CA/embeds.json' with { type: 'json' }
import frErrors from '../../locales/fr-CA/errors.json' with { type: 'json' }
import frLetters from '../../locales/fr-CA/letters.json' with { type: 'json' }
import frMail from '../../locales/fr-CA/mail.json' with { type: 'json' }
import frMarketplace from '../../locales/fr-CA/marketplace.json' with { type: 'json' }
import frMedia from '../../locales/fr-CA/media.json' with { type: 'json' }
import frModeration from '../../locales/fr-CA/moderation.json' with { type: 'json' }
import frModerationAdmin from '../../locales/fr-CA/moderation-admin.json' with { type: 'json' }
import frParticipant from '../../locales/fr-CA/participant.json' with { type: 'json' }
import frPeople from '../../locales/fr-CA/people.json' with { type: 'json' }
import frPlatform from '../../locales/fr-CA/platform.json' with { type: 'json' }
import frReach from '../../locales/fr-CA/reach.json' with { type: 'json' }
import frSms from '../../locales/fr-CA/sms.json' with { type: 'json' }
import frSurvey from '../../locales/fr-CA/survey.json' with { type: 'json' }
import frSurveyAccess from '../../locales/fr-CA/survey-access.json' with { type: 'json' }
import frSurveyAdmin from '../../locales/fr-CA/survey-admin.json' with { type: 'json' }
import frSurveyData from '../../locales/fr-CA/survey-data.json' with { type: 'json' }
import frSwitches from '../../locales/fr-CA/switches.json' with { type: 'json' }
import cyAccount from '../../locales/cy/account.json' with { type: 'json' }
import cyAdmin from '../../locales/cy/admin.json' with { type: 'json' }
import cyApi from '../../locales/cy/api.json' with { type: 'json' }
import cyAppeals from '../../locales/cy/appeals.json' with { type: 'json' }
import cyCityAdmin from '../../locales/cy/city-admin.json' with { type: 'json' }
import cyCityData from '../../locales/cy/city-data.json' with { type: 'json' }
import cyCommon from '../../locales/cy/common.json' with { type: 'json' }
import cyContributions from '../../locales/cy/contributions.json' with { type: 'json' }
import cyContributionsAdmin from '../../locales/cy/contributions-admin.json' with { type: 'json' }
import cyCookies from '../../locales/cy/cookies.json' with { type: 'json' }
import cyEditor from '../../locales/cy/editor.json' with { type: 'json' }
import cyEmbeds from '../../locales/cy/embeds.json' with { type: 'json' }
import cyErrors from '../../locales/cy/errors.json' with { type: 'json' }
import cyLetters from '../../locales/cy/letters.json' with { type: 'json' }
import cyMail from '../../locales/cy/mail.json' with { type: 'json' }
import cyMarketplace from '../../locales/cy/marketplace.json' with { type: 'json' }
import cyMedia from '../../locales/cy/media.json' with { type: 'json' }
import cyModeration from '../../locales/cy/moderation.json' with { type: 'json' }
import cyModerationAdmin from '../../locales/cy/moderation-admin.json' with { type: 'json' }
import cyParticipant from '../../locales/cy/participant.json' with { type: 'json' }
import cyPeople from '../../locales/cy/people.json' with { type: 'json' }
import cyPlatform from '../../locales/cy/platform.json' with { type: 'json' }
import cyReach from '../../locales/cy/reach.json' with { type: 'json' }
import cySms from '../../locales/cy/sms.json' with { type: 'json' }
import cySurvey from '../../locales/cy/survey.json' with { type: 'json' }
import cySurveyAccess from '../../locales/cy/survey-access.json' with { type: 'json' }
import cySurveyAdmin from '../../locales/cy/survey-admin.json' with { type: 'json' }
import cySurveyData from '../../locales/cy/survey-data.json' with { type: 'json' }
import cySwitches from '../../locales/cy/switches.json' with { type: 'json' }
import { i18nOptions, sentenceEnds } from '../lib/i18n-options.ts'
import type { Language } from '../lib/languages.ts'
import type { Namespace } from '../lib/namespaces.ts'

type Texts = Record<Namespace, object>

/** All of Parley's texts, loaded once when the process starts. The browser fetches the same files over HTTP. */
export const TEXTS: Record<Language, Texts> = {
  en: {
    common: enCommon,
    cookies: enCookies,
    participant: enParticipant,
    appeals: enAppeals,
    contributions: enContributions,
    'contributions-admin': enContributionsAdmin,
    moderation: enModeration,
    'moderation-admin': enModerationAdmin,
    account: enAccount,
    people: enPeople,
    platform: enPlatform,
    survey: enSurvey,
    'survey-access': enSurveyAccess,
    'survey-admin': enSurveyAdmin,
    'survey-data': enSurveyData,
    admin: enAdmin,
    api: enApi,
    editor: enEditor,
    embeds: enEmbeds,
    errors: enErrors,
    letters: enLetters,
    mail: enMail,
    marketplace: enMarketplace,
    reach: enReach,
    media: enMedia,
    sms: enSms,
    switches: enSwitches,
    'city-data': enCityData,
    'city-admin': enCityAdmin,
  },
  'fr-CA': {
    common: frCommon,
    cookies: frCookies,
    participant: frParticipant,
    appeals: frAppeals,
    contributions: frContributions,
    'contributions-admin': frContributionsAdmin,
    moderation: frModeration,
    'moderation-admin': frModerationAdmin,
    account: frAccount,
    people: frPeople,
    platform: frPlatform,
    survey: frSurvey,
    'survey-access': frSurveyAccess,
    'survey-admin': frSurveyAdmin,
    'survey-data': frSurveyData,
    admin: frAdmin,
    api: frApi,
    editor: frEditor,
    embeds: frEmbeds,
    errors: frErrors,
    letters: frLetters,
    mail: frMail,
    marketplace: frMarketplace,
    reach: frReach,
    media: frMedia,
    sms: frSms,
    switches: frSwitches,
    'city-data': frCityData,
    'city-admin': frCityAdmin,
  },
  cy: {
    common: cyCommon,
    cookies: cyCookies,
    participant: cyParticipant,
    appeals: cyAppeals,
    contributions: cyContributions,
    'contributions-admin': cyContributionsAdmin,
    moderation: cyModeration,
    'moderation-admin': cyModerationAdmin,
    account: cyAccount,
    people: cyPeople,
    platform: cyPlatform,
    survey: cySurvey,
    'survey-access': cySurveyAccess,
    'survey-admin': cySurveyAdmin,
    'survey-data': cySurveyData,
    admin: cyAdmin,
    api: cyApi,
    editor: cyEditor,
    embeds: cyEmbeds,
    errors: cyErrors,
    letters: cyLetters,
    mail: cyMail,
    marketplace: cyMarketplace,
    reach: cyReach,
    media: cyMedia,
    sms: cySms,
    switches: cySwitches,
    'city-data': cyCityData,
    'city-admin': cyCityAdmin,
  },
}

/** An i18next instance for one request in one language, with all texts loaded. */
export function createServerI18n(language: Language): i18n {
  const instance = createInstance().use(sentenceEnds)
  void instance.init({ ...i18nOptions, lng: language, resources: { [language]: { ...TEXTS[language] } } })
  return instance
}

/** `t` for texts outside a page, such as mails: `getTranslator('cy', 'mail')('greeting', { name })`. */
export const getTranslator = <N extends Namespace>(language: Language, namespace: N) => getInstance(language).getFixedT(language, namespace)

const instances = new Map<Language, i18n>()

function getInstance(language: Language): i18n {
  const instance = instances.get(language) ?? createServerI18n(language)
  instances.set(language, instance)
  return instance
}
