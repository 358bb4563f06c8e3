/**
 * Suffixes below which everybody can have a name: `co.uk`, `github.io`. A rule for every site below one would speak of
 * strangers' sites, so a wildcard must name one label more. The whole Public Suffix List is many times the size of all policy
 * code and is asked where rules are written (`ui/shared/public-suffix.ts`); here, for whatever comes another way, such as an
 * organisation's rules, are the patterns that registries share and the hosts where agents' pages are. What is missing from
 * both makes a wildcard no wider than what was written.
 *
 * @see https://publicsuffix.org
 */

/** Whether a host of at least two labels is a suffix that many share. */
export function isSharedSuffix(host: string): boolean {
  const labels = host.split(".");
  const [label = "", top = ""] = labels.slice(-2);
  if (HOSTS.has(host)) return true;
  const cloud = HOSTS_BELOW.find((suffix) => `.${host}`.endsWith(suffix));
  if (cloud !== undefined && labels.length <= REGIONAL) return true;
  if (labels.length === 2)
    return top.length === 2 && (SECOND_LEVEL.has(label) || (REGIONS.get(top)?.has(label) ?? false));
  // `*.kawasaki.jp` and the like: the registry of a region gives out names one level lower.
  return labels.length === 3 && REGIONS.get(top)?.has(label) === true;
}

/** What registries of countries call their second level. */
const SECOND_LEVEL = words(
  "ac co com edu go gob gop gouv gov gub gv gen id in ind inf info int k12 law lg ltd me med mi mil mod muni museum name ne net nhs nic nom or org parliament plc police press presse pro pub res sch school state store tm tur web ad ed gr asn asso biz coop firm health idf idv kiwi maori iwi geek cri govt",
);

const REGIONS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    "jp",
    words(
      "aichi akita aomori chiba ehime fukui fukuoka fukushima gifu gunma hiroshima hokkaido hyogo ibaraki ishikawa iwate kagawa kagoshima kanagawa kochi kumamoto kyoto mie miyagi miyazaki nagano nagasaki nara niigata oita okayama okinawa osaka saga saitama shiga shimane shizuoka tochigi tokushima tokyo tottori toyama wakayama yamagata yamaguchi yamanashi kawasaki kitakyushu kobe nagoya sapporo sendai yokohama",
    ),
  ],
]);

/** Where anybody gets a name for a page of their own. */
const HOSTS = words(
  "amplifyapp.com appspot.com azurecontainerapps.io azureedge.net azurestaticapps.net azurewebsites.net b-cdn.net backblazeb2.com bitbucket.io blogspot.com bolt.host bubbleapps.io cdn.cloudflare.net cloudapp.net cloudfront.net codeberg.page codesandbox.io csb.app deno.dev deno.net digitaloceanspaces.com duckdns.org dyndns.org edgeone.app fastly.net firebaseapp.com fly.dev framer.app framer.website ghost.io github.io githubpreview.dev githubusercontent.com gitlab.io gitpod.io glitch.me hashnode.dev herokuapp.com hf.space home.dyndns.org lhr.life loca.lt localhost.run lovable.app lovableproject.com modal.run myfritz.net mypages.dev myshopify.com neocities.org netlify.app ngrok-free.app ngrok-free.dev ngrok.app ngrok.dev ngrok.io no-ip.org notion.site nip.io on.aws onrender.com pages.dev pythonanywhere.com r2.dev railway.app readthedocs.io repl.co replit.app replit.dev run.app servehttp.com serveo.net service.gov.uk sslip.io stackblitz.io static.app streamlit.app streamlitapp.com supabase.co surge.sh translate.goog trycloudflare.com ts.net tumblr.com tunnelmole.net v0.app v0.build val.run vercel.app vercel.dev vusercontent.net w3spaces.com web.app webcontainer.io webflow.io weebly.com windows.net wixsite.com wordpress.com workers.dev xip.io zeabur.app gradio.live appwrite.network appwrite.global withgoogle.com withyoutube.com usercontent.goog",
);

/** Labels of the longest such suffix. */
const REGIONAL = 4;
/** Suffixes whose own parts differ by region, such as `s3.eu-west-1.amazonaws.com`. */
const HOSTS_BELOW = [".amazonaws.com", ".elasticbeanstalk.com", ".core.windows.net", ".cloudapp.azure.com"];

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}
