#!/usr/bin/env node
// `npx cashwrap-types` writes declarations of a company's own columns, from the document that its key sees.
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { companyTypes } from '../dist/company-types.js'

const usage = `Usage: cashwrap-types --url https://pos.example.com [--out cashwrap.d.ts]

Writes a declaration file with the columns that your company's own tables add to customers.
The company's key is read from the environment variable CASHWRAP_API_KEY.`

/** The document that a key sees, or without one the document that everybody gets. */
async function read(url, key) {
  const response = await fetch(`${url.replace(/\/+$/, '')}/v1/openapi.json`, {
    headers: key ? { 'x-api-key': key } : {},
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status} from ${response.url}: ${text.slice(0, 500)}`)
  return JSON.parse(text)
}

try {
  const options = {
    url: { type: 'string' },
    out: { type: 'string', default: 'cashwrap.d.ts' },
    help: { type: 'boolean' },
  }
  const { values } = parseArgs({ options })
  const key = process.env.CASHWRAP_API_KEY
  if (values.help) console.log(usage)
  else if (!values.url || !key) throw new Error(usage)
  else {
    const [own, plain] = await Promise.all([read(values.url, key), read(values.url)])
    await writeFile(values.out, companyTypes(own, plain))
    console.log(`${values.out} is written.`)
  }
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
