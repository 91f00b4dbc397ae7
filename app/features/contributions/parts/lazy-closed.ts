import { lazyRouteComponent } from '@tanstack/react-router'
import type { FormState } from '#app/server/request-context.ts'
import { type ActivityView, LATE_FORM } from '../record/contributions.schema.ts'

/** Loaded only by pages of activities that take nothing. */
export const ClosedWhileWriting = lazyRouteComponent(() => import('./ClosedWhileWriting.tsx'), 'ClosedWhileWriting')
export const ClosedActivity = lazyRouteComponent(() => import('./ClosedWhileWriting.tsx'), 'ClosedActivity')

/** Loads them before such a page is rendered, so that it is whole without JavaScript. */
export async function prepareClosed(isNeeded: boolean): Promise<void> {
  if (isNeeded) await Promise.all([ClosedWhileWriting.preload?.(), ClosedActivity.preload?.()])
}

export const isLateForm = ({ state }: Pick<ActivityView, 'state'>, form: FormState): boolean =>
  form.form === LATE_FORM || (state === 'closed' && form.faults.some(({ code }) => code === 'activity-closed'))
