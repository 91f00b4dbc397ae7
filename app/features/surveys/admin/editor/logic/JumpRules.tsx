import { useTranslation } from 'react-i18next'
import { AdminIcon } from '#app/ui/admin/admin-icon.tsx'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { Menu } from '#app/ui/admin/menu.tsx'
import { Button } from '#app/ui/button.tsx'
import type { Definition, Page } from '../../../surveys.schema.ts'
import { listQuestionsBeforePage, createTest } from './condition-edits.ts'
import { ConditionField } from './ConditionField.tsx'
import { useConditionWords } from './use-condition-words.ts'

type JumpRule = NonNullable<Page['next']>[number]

interface JumpRulesProps {
  page: Page
  definition: Definition
  onChange: (next: Page['next'], key?: string) => void
  messageOf: (field: string) => string | undefined
  /** Creates a closing page and returns its id. */
  onNewEnding: () => string
}

const NEXT_PAGE = 'next'
const NEW_ENDING = 'new-ending'

/** Where people go after a page: the first rule that holds, or a default. */
export function JumpRules({ page, definition, onChange, messageOf, onNewEnding }: JumpRulesProps) {
  const { t } = useTranslation('survey-admin')
  const words = useConditionWords()
  const rules = page.next ?? []
  const sources = listQuestionsBeforePage(definition, page.id, true)
  const last = sources.at(-1)
  const here = definition.pages.findIndex((each) => each.id === page.id)
  const conditional = rules.flatMap((rule, index) => (rule.when ? [{ rule, index }] : []))
  const otherwise = rules.find((rule) => !rule.when)
  const otherwiseAt = rules.findIndex((rule) => !rule.when)

  const setRule = (index: number, rule: JumpRule | undefined, key?: string) =>
    onChange(toRulesOrNone(rule ? rules.with(index, rule) : rules.toSpliced(index, 1)), key)
  const moveRule = (place: number, by: number) => {
    const [from, to] = [conditional[place], conditional[place + by]]
    if (from && to) onChange(rules.with(from.index, to.rule).with(to.index, from.rule))
  }
  /** Earlier pages are listed only if a rule already refers to one, so that it can be seen and fixed. */
  const listTargets = (chosen: JumpRule | undefined) => [
    ...definition.pages.flatMap((each, index) =>
      index > here || each.id === chosen?.page ? [{ value: `page:${each.id}`, label: words.pageName(definition, each.id) }] : [],
    ),
    ...(chosen?.page && !definition.pages.some((each) => each.id === chosen.page)
      ? [{ value: `page:${chosen.page}`, label: t('logic.gone-page') }]
      : []),
    { value: 'end:', label: t('logic.to-end') },
    ...(definition.endings ?? []).map(({ id }) => ({
      value: `end:${id}`,
      label: t('logic.to-ending', { title: words.endingName(definition, id) }),
    })),
    { value: NEW_ENDING, label: t('logic.to-new-ending') },
  ]
  const targetOf = (value: string): Pick<JumpRule, 'page' | 'end'> => {
    if (value === NEW_ENDING) return { end: onNewEnding() }
    return value.startsWith('end:') ? { end: value.slice(4) } : { page: value.slice(5) }
  }
  const faultAt = (index: number) => messageOf(`next.${index}.page`) ?? messageOf(`next.${index}.end`) ?? messageOf(`next.${index}`)
  return (
    <section className="logic-part" aria-labelledby="after-page">
      <h2 id="after-page">{t('logic.after-page')}</h2>
      {conditional.length === 0 && <p className="field-hint">{t('logic.no-jumps')}</p>}
      <ol className="jump-rules">
        {conditional.map(({ rule, index }, place) => (
          <li key={index}>
            {rule.when && (
              <ConditionField
                lead={t('logic.jump-when')}
                at={`next.${index}.when`}
                condition={rule.when}
                sources={sources}
                onChange={(when, key) => setRule(index, when && { ...rule, when }, key && `next.${key}`)}
                messageOf={messageOf}
              />
            )}
            <div className="jump-to">
              <SelectInput
                name={`next.${index}.page`}
                label={t('logic.go-to')}
                value={rule.end === undefined ? `page:${rule.page ?? ''}` : `end:${rule.end}`}
                onChange={(value) => setRule(index, { ...(rule.when && { when: rule.when }), ...targetOf(value) })}
                options={listTargets(rule)}
                error={faultAt(index)}
              />
              <Menu
                label={t('logic.rule-menu', { number: place + 1 })}
                trigger={<AdminIcon name="more" />}
                groups={[
                  [
                    { id: 'up', label: t('move.up'), icon: 'move-up', disabled: place === 0, onAction: () => moveRule(place, -1) },
                    {
                      id: 'down',
                      label: t('move.down'),
                      icon: 'move-down',
                      disabled: place === conditional.length - 1,
                      onAction: () => moveRule(place, 1),
                    },
                  ],
                  [{ id: 'remove', label: t('logic.remove-rule'), icon: 'trash', danger: true, onAction: () => setRule(index, undefined) }],
                ]}
              />
            </div>
          </li>
        ))}
      </ol>
      {last && (
        <div>
          <Button
            type="button"
            kind="secondary"
            size="small"
            onClick={() => {
              const at = otherwiseAt < 0 ? rules.length : otherwiseAt
              onChange(rules.toSpliced(at, 0, { when: createTest(last), end: '' }))
              requestAnimationFrame(() => document.getElementById(`next.${at}.when.question`)?.focus())
            }}
          >
            {t('logic.add-jump')}
          </Button>
        </div>
      )}
      <SelectInput
        name="otherwise"
        label={conditional.length > 0 ? t('logic.otherwise') : t('logic.then')}
        value={otherwise ? (otherwise.end === undefined ? `page:${otherwise.page ?? ''}` : `end:${otherwise.end}`) : NEXT_PAGE}
        onChange={(value) =>
          onChange(toRulesOrNone([...rules.filter((rule) => rule.when), ...(value === NEXT_PAGE ? [] : [targetOf(value)])]))
        }
        options={[{ value: NEXT_PAGE, label: t('logic.to-next') }, ...listTargets(otherwise)]}
        error={otherwiseAt < 0 ? undefined : faultAt(otherwiseAt)}
      />
    </section>
  )
}

const toRulesOrNone = (rules: readonly JumpRule[]): Page['next'] => (rules.length > 0 ? [...rules] : undefined)
