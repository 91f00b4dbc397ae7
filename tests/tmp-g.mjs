import { addSites } from './bench/add-sites.ts'
import { readProcessorTime } from './bench/processor-time.ts'
import { getOwnerUrl, queryAsOwner } from './support/remote-api.ts'
import fs from 'node:fs'
const url = getOwnerUrl('/tmp/look-data')
if (process.argv[2]) await addSites(url, { sites: Number(process.argv[2]), each: { projects: 10, people: 100, responses: 100 } })
const pm = Number(fs.readFileSync('/tmp/look-data/postgres/postmaster.pid','utf8').split('\n')[0])
const main = Number(fs.readFileSync('/tmp/look.pid','utf8'))
const seen = new Map()
let b = [readProcessorTime([main]), readProcessorTime([pm])]
for (let k = 0; k < 6; k++) {
  const until = Date.now() + 15000
  while (Date.now() < until) {
    for (const r of await queryAsOwner(url, "select application_name a, left(regexp_replace(query, '\\s+', ' ', 'g'), 260) q from pg_stat_activity where state='active' and pid<>pg_backend_pid()")) seen.set(r.q, (seen.get(r.q) ?? 0) + 1)
    await new Promise(r => setTimeout(r, 50))
  }
  const a = [readProcessorTime([main]), readProcessorTime([pm])]
  console.log('15 s: all', (a[0]-b[0]).toFixed(2), 'postgres', (a[1]-b[1]).toFixed(2)); b = a
}
console.log([...seen].sort((x,y)=>y[1]-x[1]).slice(0,14).map(([q,n])=>n+' '+q).join('\n'))
