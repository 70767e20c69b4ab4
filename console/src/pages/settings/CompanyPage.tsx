export const CompanyPage = () => null
