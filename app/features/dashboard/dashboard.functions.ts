import { createServerFn } from '@tanstack/react-start'
import { readDashboard } from './dashboard.server.ts'

export const getDashboard = createServerFn().handler(({ context }) => readDashboard(context.ctx))
