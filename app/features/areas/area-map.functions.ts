import { createServerFn } from '@tanstack/react-start'
import { getAreaMap } from './area-map.server.ts'

export const readAreaMap = createServerFn().handler(({ context }) => getAreaMap(context.ctx))
