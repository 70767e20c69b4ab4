// Alle deutschen Texte, nach den Abschnitten der englischen.
import { alerts } from './alerts.ts'
import { automation } from './automation.ts'
import { catalog } from './catalog.ts'
import { company } from './company.ts'
import { exports } from './exports.ts'
import { extensions } from './extensions.ts'
import { files } from './files.ts'
import { history } from './history.ts'
import { imports } from './imports.ts'
import { keyRequests } from './key-requests.ts'
import { keys } from './keys.ts'
import { labels } from './labels.ts'
import { many } from './many.ts'
import { members } from './members.ts'
import { numbers } from './numbers.ts'
import { orders } from './orders.ts'
import { organization } from './organization.ts'
import { overview } from './overview.ts'
import { paper } from './paper.ts'
import { passkeys } from './passkeys.ts'
import { people } from './people.ts'
import { priceSheet } from './prices.ts'
import { problems } from './problems.ts'
import { records } from './records.ts'
import { reports } from './reports.ts'
import { purposes, resources } from './resources.ts'
import { roles } from './roles.ts'
import { scan } from './scan.ts'
import { search, synonyms } from './search.ts'
import { secondFactor } from './second-factor.ts'
import { sessions } from './sessions.ts'
import { sheet } from './sheet.ts'
import { shell } from './shell.ts'
import { signIn } from './sign-in.ts'
import { signInRules } from './sign-in-rules.ts'
import { sso } from './sso.ts'
import { stock } from './stock.ts'
import { tables } from './tables.ts'
import { user } from './user.ts'

export const catalogue: Readonly<Record<string, object>> = {
  alerts,
  automation,
  catalog,
  company,
  exports,
  extensions,
  files,
  history,
  imports,
  'key-requests': keyRequests,
  keys,
  labels,
  many,
  members,
  numbers,
  orders,
  organization,
  overview,
  paper,
  passkeys,
  people,
  prices: priceSheet,
  problems,
  purposes,
  records,
  reports,
  resources,
  roles,
  scan,
  search,
  synonyms,
  'second-factor': secondFactor,
  sessions,
  sheet,
  shell,
  'sign-in': signIn,
  'sign-in-rules': signInRules,
  sso,
  stock,
  tables,
  user,
}
