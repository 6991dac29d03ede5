import Testing

@testable import EyotPostgres

@Suite("URLs of PostgreSQL")
struct PostgresURLTests {
    @Test func `Parameters of Eyot's own are taken out, and all others stay`() throws {
        let url = try #require(
            PostgresURL(
                "postgres://eyot:secret@a:5432,b:5432/eyot?sslmode=verify-full&pool_max_conns=20"
                    + "&target_session_attrs=read-write&prepared_statements=off&statement_timeout_seconds=7"))
        #expect(
            url.text == "postgres://eyot:secret@a:5432,b:5432/eyot?sslmode=verify-full&target_session_attrs=read-write")
        #expect(url.connections == 20)
        #expect(url.keepsStatements == false)
        #expect(url.statementSeconds == 7)
    }

    @Test func `What is said of a URL has no user and no password`() throws {
        for (text, said) in [
            ("postgres://eyot:secret@db.example.org:5432/eyot?sslmode=require", "postgres://db.example.org:5432/eyot"),
            ("postgresql://eyot:p%40ss@a,b/eyot", "postgres://a,b/eyot"), ("postgres://a/eyot", "postgres://a/eyot"),
            ("postgres:///eyot?host=/run", "postgres://eyot"),
            ("postgres://[::1]:5432/eyot", "postgres://[::1]:5432/eyot"),
        ] {
            #expect(try #require(PostgresURL(text)).description == said)
        }
    }

    /// libpq would repeat what it cannot read.
    @Test(
        "What libpq cannot read is refused, and so a part of a password is in no message",
        arguments: [
            "postgres://eyot:se@cret@a/eyot", "postgres://eyot:se/cret@a/eyot", "postgres://eyot:se?cret@a/eyot",
            "postgres://eyot:50%@a/eyot", "postgres://host%zz/eyot", "postgres://a/eyot?sslmode=%4",
            "postgres://a:b/eyot",
            "postgres://[::1]b/eyot",
        ])
    func form(text: String) { #expect(PostgresURL(text) == nil) }

    @Test func `A parameter with a wrong value is refused`() {
        for query in ["pool_max_conns=3", "pool_max_conns=x", "pool_max_conns", "prepared_statements=yes"] {
            #expect(PostgresURL("postgres://a/eyot?\(query)") == nil)
        }
        #expect(PostgresURL("mysql://a/eyot") == nil)
    }

    @Test func `A refusal names the parameter, and nothing else of the URL`() {
        for (query, said) in [
            ("pool_max_conns=3", "a URL whose pool_max_conns is 4 to 200"),
            ("sslmode=require&statement_timeout_seconds=0", "a URL whose statement_timeout_seconds is 1 to 600"),
            ("prepared_statements", "a URL whose prepared_statements is on or off"),
            ("pool_max_con=5", "a URL without pool_max_con, which is no parameter: pool_max_conns is one"),
            ("max_conns=5", "a URL without max_conns, which is no parameter: pool_max_conns is one"),
        ] {
            let text = "postgres://eyot:secret@a/eyot?\(query)"
            #expect(PostgresURL(text) == nil)
            #expect(PostgresURL.expectation(for: text) == said)
        }
        // libpq has many, and new ones with each version.
        let others = "postgres://a/eyot?sslmode=require&target_session_attrs=any&connect_timeout=3&keepalives_idle=9"
        #expect(PostgresURL(others)?.text == others)
        #expect(PostgresURL.expectation(for: others) == nil)
    }
}
