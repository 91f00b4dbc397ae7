import { createServerFn } from '@tanstack/react-start'
import { noInput } from '#app/lib/validate.ts'
import { readPersonal } from '#app/server/shared-rendering.ts'
import { readDashboard } from './dashboard.server.ts'
import { loadFirstSteps } from './first-steps.server.ts'

export const getDashboard = createServerFn()
  .validator(noInput)
  .handler(({ context }) => readPersonal(context.ctx, ['dashboard'], readDashboard))

export const getFirstSteps = createServerFn()
  .validator(noInput)
  .handler(({ context }) => readPersonal(context.ctx, ['first-steps'], loadFirstSteps))
