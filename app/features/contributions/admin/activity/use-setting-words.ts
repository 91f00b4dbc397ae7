import { useTranslation } from 'react-i18next'
import { getTranslation, type Translated } from '#app/lib/translated.ts'
import type { ActivityAccess, ModerationMode, ReactionChoice, ShownName } from '#app/lib/vocabulary/contributions.ts'
import type { VerificationRule } from '#app/lib/vocabulary/verifications.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { useLanguage } from '#app/shell/use-language.ts'
import type { SettingName } from '../../kinds/sections.ts'
import type { Shape } from '../../record/drawing.schema.ts'
import type { StageDocument } from '../EditStage.tsx'

const LONGEST = 140
const shortenText = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)

/** Settings of an activity and their values, in words. */
export function useSettingWords(stages: readonly Pick<StageDocument, 'id' | 'title'>[]) {
  const { t } = useTranslation('contributions-admin')
  const { t: verifications } = useTranslation('verifications')
  const format = useFormat()
  const site = useSite()
  const language = useLanguage()
  const say = (text: Translated) => getTranslation(text, language, site.locale)
  const join = (names: readonly string[]) => (names.length > 0 ? names.join(', ') : t('activity.nothing'))
  const sayYes = (value: unknown) => t(value ? 'activity.yes' : 'activity.no')

  function describeValue(name: SettingName, value: unknown): string {
    if (value === null || value === undefined || value === '') return name === 'stage' ? t('activities.no-stage') : t('activity.nothing')
    switch (name) {
      case 'titleTranslations':
      case 'introTranslations': {
        const texts = Object.values(value as Translated).filter((text) => text.trim())
        return texts.length > 0 ? texts.map(shortenText).join(' · ') : t('activity.nothing')
      }
      case 'stage':
        return stages.find(({ id }) => id === value)?.title ?? t('activities.no-stage')
      case 'opensAt':
      case 'closesAt':
        return format.dateTime(value as string)
      case 'postAccess':
      case 'reactAccess':
        return t(`access.${value as ActivityAccess}`)
      case 'groupId':
        return t('access.group')
      case 'moderation':
        return t(`moderation.${value as ModerationMode}`)
      case 'fields':
        return join((value as { title: Translated; archived?: boolean }[]).flatMap(({ title, archived }) => (archived ? [] : [say(title)])))
      case 'settings.categories':
        return join((value as { title: Translated; archived?: boolean }[]).flatMap(({ title, archived }) => (archived ? [] : [say(title)])))
      case 'settings.shownNames':
        return join((value as ShownName[]).map((one) => t(`names.${one}`)))
      case 'settings.geometries':
        return join((value as Shape[]).map((one) => t(`activities.shapes.${one}`)))
      case 'settings.border':
        return t(`activities.borders.${value as 'warn' | 'refuse'}`)
      case 'settings.reactions':
        return t(`activities.reaction-choices.${value as ReactionChoice}`)
      case 'settings.photos':
        return value === 0 ? t('activities.no-photos') : t('activities.photo-count', { count: value as number })
      case 'settings.moderationDays':
      case 'settings.answerDays':
        return format.number(value as number)
      case 'settings.verification':
        return verifications(`levels.${(value as VerificationRule).level}`)
      case 'settings.asksArea':
      case 'settings.openData':
      case 'settings.ledger':
      case 'settings.titles':
      case 'settings.replies':
      case 'settings.support':
        return sayYes(value)
    }
  }

  return { nameSetting: (name: SettingName) => t(`activity.names.${name}`), describeValue }
}
