import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { BALLOT_TYPES, BUDGET_ACCESS, COUNTING_RULES, CURRENCIES, PAPER_WAYS } from '#app/lib/vocabulary/budgets.ts'
import { DEFAULT_VERIFICATION_RULE, type VerificationRule } from '#app/lib/vocabulary/verifications.ts'
import { EditDialog } from '#app/shell/admin/edit-dialog.tsx'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useMomentTexts } from '#app/shell/use-moment-texts.ts'
import { DateTimeField } from '#app/ui/admin/date-time-field.tsx'
import { NumberInput, SelectInput } from '#app/ui/admin/inputs.tsx'
import { TranslatedTexts } from '#app/ui/admin/translated-texts.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { forgetBudgets } from '../budgets.queries.ts'

const USUAL_POINTS = 10

export type RoundDocument = Resource<'budget-rounds'>

export interface VerificationFieldsProps {
  rule: VerificationRule
  onChange: (rule: VerificationRule) => void
  error: string | undefined
}

interface EditRoundProps {
  round: RoundDocument
  onClose: () => void
  renderVerification: (fields: VerificationFieldsProps) => ReactNode
}

/** A round's texts, times and rules. Once there are ballots, only its texts and the end of voting. */
export function EditRound({ round, onClose, renderVerification }: EditRoundProps) {
  const { t } = useTranslation('budgets-admin')
  const site = useSite()
  const { words: moment } = useMomentTexts()
  const queryClient = useQueryClient()
  const isFixed = round.hasBallots
  const [texts, setTexts] = useState(() => ({
    titleTranslations: round.titleTranslations ?? {},
    introTranslations: round.introTranslations ?? {},
    closesAt: round.closesAt,
  }))
  const [rules, setRules] = useState(() => ({
    opensAt: round.opensAt,
    ballotType: round.ballotType,
    minOptions: round.minOptions,
    maxOptions: round.maxOptions,
    maxPots: round.maxPots,
    maxPoints: round.maxPoints,
    rule: round.rule,
    threshold: round.threshold,
    currency: round.currency,
    access: round.access,
    verification: round.verification,
    paper: round.paper,
  }))
  const changeRules = (more: Partial<typeof rules>) => setRules((before) => ({ ...before, ...more }))
  const save = useMutation({
    mutationFn: () =>
      api.update(
        'budget-rounds',
        round.id,
        { attributes: isFixed ? texts : { ...texts, ...rules } },
        { lockVersion: round.meta.lockVersion },
      ),
    onSuccess: async () => {
      onClose()
      await forgetBudgets(queryClient)
    },
  })
  const words = useEditorTexts(save.error)
  return (
    <EditDialog title={t('settings.edit')} saveLabel={t('save')} save={save} faults={words.faults} onClose={onClose}>
      <TranslatedTexts
        languages={site.contentLanguages}
        source={site.locale}
        fields={[
          { name: 'titleTranslations', label: t('settings.name') },
          { name: 'introTranslations', label: t('settings.intro'), rows: 3 },
        ]}
        values={texts}
        onChange={(name, text) => setTexts((before) => ({ ...before, [name]: text }))}
        messageOf={words.messageOf}
        words={words.texts}
      />
      {!isFixed && (
        <DateTimeField
          name="opensAt"
          label={t('settings.opens')}
          value={rules.opensAt ?? undefined}
          onChange={(at) => changeRules({ opensAt: at ?? null })}
          error={words.messageOf('opensAt')}
          {...moment}
        />
      )}
      <DateTimeField
        name="closesAt"
        label={t('settings.closes')}
        value={texts.closesAt ?? undefined}
        onChange={(at) => setTexts((before) => ({ ...before, closesAt: at ?? null }))}
        error={words.messageOf('closesAt')}
        {...moment}
      />
      {isFixed ? (
        <Notice title={t('fixed')}>{t('fixed-text')}</Notice>
      ) : (
        <>
          <SelectInput
            name="ballotType"
            label={t('settings.ballot-type')}
            value={rules.ballotType}
            onChange={(ballotType) =>
              changeRules({ ballotType, maxPoints: ballotType === 'points' ? (rules.maxPoints ?? USUAL_POINTS) : null })
            }
            options={BALLOT_TYPES.map((value) => ({ value, label: t(`ballot-types.${value}`) }))}
          />
          {rules.ballotType === 'points' && (
            <NumberInput
              name="maxPoints"
              label={t('settings.max-points')}
              value={rules.maxPoints ?? undefined}
              onChange={(maxPoints) => changeRules({ maxPoints: maxPoints ?? null })}
              min={1}
              max={10_000}
              digits={10}
              error={words.messageOf('maxPoints')}
            />
          )}
          <NumberInput
            name="minOptions"
            label={t('settings.min-options')}
            value={rules.minOptions}
            onChange={(minOptions = 1) => changeRules({ minOptions })}
            min={1}
            max={1000}
          />
          <NumberInput
            name="maxOptions"
            label={t('settings.max-options')}
            hint={t('settings.empty-for-all')}
            value={rules.maxOptions ?? undefined}
            onChange={(maxOptions) => changeRules({ maxOptions: maxOptions ?? null })}
            min={1}
            max={1000}
            error={words.messageOf('maxOptions')}
          />
          <NumberInput
            name="maxPots"
            label={t('settings.max-pots')}
            hint={t('settings.empty-for-all')}
            value={rules.maxPots ?? undefined}
            onChange={(maxPots) => changeRules({ maxPots: maxPots ?? null })}
            min={1}
            max={1000}
          />
          <SelectInput
            name="rule"
            label={t('settings.rule')}
            value={rules.rule}
            onChange={(rule) => changeRules({ rule })}
            options={COUNTING_RULES.map((value) => ({ value, label: t(`rules.${value}`) }))}
          />
          <NumberInput
            name="threshold"
            label={t('settings.threshold')}
            value={rules.threshold}
            onChange={(threshold = 0) => changeRules({ threshold })}
            min={0}
            max={1_000_000}
            digits={10}
          />
          <SelectInput
            name="currency"
            label={t('settings.currency')}
            value={rules.currency}
            onChange={(currency) => changeRules({ currency })}
            options={CURRENCIES.map((value) => ({ value, label: value }))}
          />
          <SelectInput
            name="access"
            label={t('settings.access')}
            value={rules.access}
            onChange={(access) => changeRules({ access })}
            options={BUDGET_ACCESS.map((value) => ({ value, label: t(`access.${value}`) }))}
          />
          <SelectInput
            name="paper"
            label={t('settings.paper')}
            hint={t(`paper-hints.${rules.paper}`)}
            value={rules.paper}
            onChange={(paper) => changeRules({ paper })}
            options={PAPER_WAYS.map((value) => ({ value, label: t(`paper-ways.${value}`) }))}
            error={words.messageOf('paper')}
          />
          {rules.access === 'verified' &&
            renderVerification({
              rule: rules.verification ?? DEFAULT_VERIFICATION_RULE,
              onChange: (verification) => changeRules({ verification }),
              error: words.messageOf('verification'),
            })}
        </>
      )}
    </EditDialog>
  )
}
