"""What is asked of GitHub's GraphQL interface: whether a thread is resolved is told nowhere else.

In: nothing. Out: query texts. Each connection has a cursor of its own; one that is exhausted is asked for nothing more.
"""

from __future__ import annotations

__all__ = ["CONVERSATION", "THREAD_COMMENTS"]

_COMMENT = "id body createdAt lastEditedAt url authorAssociation author { __typename login }"
_IN_THREAD = f"{_COMMENT} commit {{ oid }} originalCommit {{ oid }}"
_PAGE = "pageInfo { hasNextPage endCursor }"

CONVERSATION = f"""
query Conversation($owner: String!, $name: String!, $number: Int!,
                   $threads: String, $comments: String, $reviews: String,
                   $moreThreads: Boolean!, $moreComments: Boolean!, $moreReviews: Boolean!) {{
  repository(owner: $owner, name: $name) {{
    pullRequest(number: $number) {{
      reviewThreads(first: 50, after: $threads) @include(if: $moreThreads) {{
        nodes {{
          id isResolved isOutdated path line originalLine diffSide
          comments(first: 50) {{ nodes {{ {_IN_THREAD} }} {_PAGE} }}
        }}
        {_PAGE}
      }}
      comments(first: 100, after: $comments) @include(if: $moreComments) {{ nodes {{ {_COMMENT} }} {_PAGE} }}
      reviews(first: 100, after: $reviews) @include(if: $moreReviews) {{ nodes {{ {_COMMENT} }} {_PAGE} }}
    }}
  }}
  rateLimit {{ cost remaining resetAt }}
}}
"""

THREAD_COMMENTS = f"""
query ThreadComments($thread: ID!, $after: String) {{
  node(id: $thread) {{
    ... on PullRequestReviewThread {{ comments(first: 100, after: $after) {{ nodes {{ {_IN_THREAD} }} {_PAGE} }} }}
  }}
  rateLimit {{ cost remaining resetAt }}
}}
"""
