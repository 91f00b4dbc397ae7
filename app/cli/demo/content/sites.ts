import { dyffryn } from './dyffryn/site.ts'
import { harbour } from './harbour/site.ts'
import { riverbend } from './riverbend/site.ts'
import type { DemoSite } from './types.ts'

export const DEMO_SITES: readonly DemoSite[] = [riverbend, dyffryn, harbour]
