import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FIRST_STEPS_ITEM } from '#app/lib/stored-items.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { firstStepsQuery } from '../dashboard.queries.ts'
import type { FirstStepName } from '../first-steps.schema.ts'

const STEP_ROUTES = {
  settings: '/admin/settings',
  mail: '/admin/marketplace',
  legal: '/admin/pages',
  appearance: '/admin/appearance',
  homepage: '/admin/homepage',
  hub: '/admin/hubs',
  project: '/admin/projects/new',
  survey: '/admin/surveys/new',
  rules: '/admin/moderation',
  publish: '/admin/projects',
  invite: '/admin/people',
} as const satisfies Record<FirstStepName, string>

/** From an empty site to a published consultation: what is done, and what comes next. Gone once all of it is done, or hidden on this device. */
export function FirstSteps() {
  const { t } = useTranslation('admin')
  const format = useFormat()
  const steps = useSuspenseQuery(firstStepsQuery).data
  const [isHidden, setHidden] = useState(wasHidden)
  // A site can work without a service for email, so that step does not keep the list.
  const isLeft = steps.some(({ name, isDone }) => name !== 'mail' && !isDone)
  if (!isLeft || isHidden) return null
  const next = steps.find(({ isDone }) => !isDone)?.name
  const done = steps.filter(({ isDone }) => isDone).length
  const hide = () => {
    rememberHidden()
    setHidden(true)
  }
  return (
    <section className="admin-panel" aria-labelledby="first-steps">
      <div className="row spread">
        <h2 id="first-steps">{t('first-steps.title')}</h2>
        <Button kind="plain" size="small" onClick={hide}>
          {t('first-steps.hide')}
        </Button>
      </div>
      <p className="meta">{t('first-steps.done-of', { done: format.number(done), all: format.number(steps.length) })}</p>
      <ol className="first-steps">
        {steps.map(({ name, isDone }) => (
          <li key={name}>
            <div>
              <h3>{isDone ? t(`first-steps.${name}.title`) : <Link to={STEP_ROUTES[name]}>{t(`first-steps.${name}.title`)}</Link>}</h3>
              {!isDone && <p className="meta">{t(`first-steps.${name}.text`)}</p>}
            </div>
            {isDone ? (
              <Badge tone="ok">{t('first-steps.done')}</Badge>
            ) : (
              name === next && (
                <Link to={STEP_ROUTES[name]} className={getButtonClass({ size: 'small' })}>
                  {t('first-steps.start')}
                  <span className="visually-hidden"> {t(`first-steps.${name}.title`)}</span>
                </Link>
              )
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

// Storage may be blocked: the list is then hidden until the page is left.
function wasHidden(): boolean {
  try {
    return window.localStorage.getItem(FIRST_STEPS_ITEM.name) !== null
  } catch {
    return false
  }
}

function rememberHidden(): void {
  try {
    window.localStorage.setItem(FIRST_STEPS_ITEM.name, 'hidden')
  } catch {
    // Nothing can be done about it.
  }
}
