export const CompanyMembersPage = () => null
export const OrganizationMembersPage = () => null
